"""What can be wrong with a tournament as a document. Whatever is only against the rules is refused, never raised."""

from server.errors import InputInvalid

Path = tuple[str | int, ...]


class TournamentInvalid(InputInvalid):
    """The document cannot be understood: whoever wrote it can mend it.

    `path` leads to the place in the document (keys and indexes from 0), so that a file's reader can name the line.
    """

    def __init__(self, path: Path, reason: str) -> None:
        self.path = path
        self.reason = reason
        place = describe_path(path)
        super().__init__(f"{place}: {reason}" if place else reason)


def describe_path(path: Path) -> str:
    """Say a place as a person would: log entries are counted from 1, as in the output."""
    words: list[str] = []
    rest = path
    if len(path) >= 2 and path[0] in {"log", "players", "machines", "teams"} and isinstance(path[1], int):
        noun = {"log": "log entry", "players": "player", "machines": "machine", "teams": "team"}[str(path[0])]
        words.append(f"{noun} {path[1] + 1}")
        rest = path[2:]
    dotted = ""
    for part in rest:
        dotted += f"[{part + 1}]" if isinstance(part, int) else f".{part}"
    if dotted:
        words.append(dotted.lstrip("."))
    return ", ".join(words)
