"""What can go wrong in the server: each error says whose fault it is and what to do."""


class ServerError(Exception):
    """The root: its text is one line that a person can act on. `status` is the command's exit status."""

    status = 1


class InputInvalid(ServerError):
    """The call or its input is wrong: the caller can mend it."""

    status = 2


class StoreUnavailable(ServerError):
    """The database cannot be opened or written: the text names it and says why."""
