"""What can go wrong in the bridge: each error says whose fault it is and what to do."""


class BridgeError(Exception):
    """The root: its text is one line that a person can act on. `status` is the command's exit status."""

    status = 1


class InputInvalid(BridgeError):
    """The call or its input is wrong: the caller can mend it."""

    status = 2
