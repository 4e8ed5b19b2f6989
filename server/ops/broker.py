"""Which broker the demo uses: Mosquitto if it is on PATH, else the embedded one. Both listen on loopback only.

`INLANE_BROKER=embedded` in the environment asks for the embedded one all the same.
"""

import getpass
import os
import shutil
import sys
from pathlib import Path

MOSQUITTO_CONFIG = """\
# Written by the demo. Loopback only, nothing kept: the broker is a courier, what matters is in outboxes and ledger.
# It stays the user who started it: a change of user would take away the order to end with its parent.
listener {port} 127.0.0.1
allow_anonymous true
persistence false
user {user}
max_packet_size 131072
set_tcp_nodelay true
log_dest stderr
log_type error
log_type warning
"""


def broker_command(folder: Path, port: int) -> tuple[str, list[str]]:
    """Return the broker's name and the command that runs it on 127.0.0.1:`port`, with its configuration in `folder`."""
    mosquitto = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")
    if mosquitto is None or os.environ.get("INLANE_BROKER") == "embedded":
        return "embedded broker", [sys.executable, "-m", "server.ops.embedded_broker", str(port)]
    config = folder / "mosquitto.conf"
    config.write_text(MOSQUITTO_CONFIG.format(port=port, user=getpass.getuser()), encoding="utf-8")
    return "Mosquitto", [mosquitto, "-c", str(config)]
