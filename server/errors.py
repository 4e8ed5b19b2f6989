"""What can go wrong in the server: each error says whose fault it is and what to do."""


class ServerError(Exception):
    """The root: its text is one line that a person can act on. `status` is the command's exit status."""

    status = 1


class InputInvalid(ServerError):
    """The call or its input is wrong: the caller can mend it."""

    status = 2


class FileInvalid(InputInvalid):
    """A file cannot be understood: its text names the file, the line and what to mend."""

    def __init__(self, name: str, line: int | None, reason: str) -> None:
        self.line = line
        super().__init__(f"{name}, line {line}: {reason}" if line is not None else f"{name}: {reason}")


class StoreUnavailable(ServerError):
    """The database cannot be opened or written: the text names it and says why."""
