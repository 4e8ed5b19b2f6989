"""What can go wrong in the bridge: each error says whose fault it is and what to do."""


class BridgeError(Exception):
    """The root: its text is one line that a person can act on. `status` is the command's exit status."""

    status = 1


class InputInvalid(BridgeError):
    """The call or its input is wrong: the caller can mend it."""

    status = 2


class WireInvalid(InputInvalid):
    """A message breaks the wire's rules: the text says where. It is dropped and counted."""


class OutboxFull(BridgeError):
    """There is no room to keep another fact. Nothing was written; free the disk and the next append succeeds."""


class OutboxBusy(InputInvalid):
    """Another agent holds this outbox: two writers of one stream would lose facts."""


class OutboxDamaged(BridgeError):
    """The outbox failed while it was in use: start the agent again, which saves what can be read."""


class LinkDown(BridgeError):
    """There is no connection to the broker just now: nothing was sent, and nothing is queued."""


class ConfigInvalid(InputInvalid):
    """The agent's configuration has a mistake: the text names the file, the key and what is allowed."""
