"""`[messages]`: where in a machine's JSON messages the score, the ball and the rest stand.

Here: the table. Not here: topics' transport (`hardware.ports.mqtt`), and what a message means (`capture.dialects`).
"""

from pydantic import BaseModel, ConfigDict, Field


class MessagesTable(BaseModel):
    """Paths into the messages."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    paths: dict[str, str] = Field(default={}, max_length=50)
