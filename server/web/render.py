"""Templates to HTML: the one Jinja environment, and how numbers and times are written in it.

No decision is made here. The one invariant: everything from outside is escaped, and a number keeps every digit.
"""

from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from server.core.explain.settings import show_value
from server.core.venue.times import in_calendar

STATIC = Path(__file__).parent / "static"


def number(value: int | None, *, none: str = "–") -> Markup:
    """A whole number, all its digits, in groups of three. The gaps are drawn, so what is copied has digits only."""
    if value is None:
        return Markup('<span class="n soft">{}</span>').format(none)
    digits = str(abs(value))
    first = len(digits) % 3 or 3
    groups = [digits[:first], *(digits[place : place + 3] for place in range(first, len(digits), 3))]
    body = Markup("").join([escape(groups[0]), *(Markup("<i>{}</i>").format(group) for group in groups[1:])])
    sign = "−" if value < 0 else ""
    return Markup('<data class="n" value="{}">{}{}</data>').format(value, sign, body)


def places(text: str) -> Markup:
    """A reading as it stands, with each unknown place boxed: a `?` is never passed over by the eye.

    Digits that the reader gave without separators are set in groups as numbers are.
    """
    unknown = Markup('<mark class="unknown" title="not seen">?</mark>')
    plain = all(sign in "0123456789?" for sign in text)
    found = []
    for number, sign in enumerate(text):
        drawn = unknown if sign == "?" else escape(sign)
        first = plain and number > 0 and (len(text) - number) % 3 == 0
        found.append(Markup("<i>{}</i>").format(drawn) if first else drawn)
    return Markup('<span class="n">{}</span>').format(Markup("").join(found))


def clock(at: int, zone: ZoneInfo, *, seconds: bool = False) -> Markup:
    """Milliseconds since 1970 as venue time, `19:04`, with the moment and its zone in the element's title."""
    moment = datetime.fromtimestamp(in_calendar(at) / 1000, UTC).astimezone(zone)
    return Markup('<time datetime="{}" title="{}">{}</time>').format(
        moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        f"{moment:%A %d %B %Y, %H:%M:%S} {moment.tzname()}",
        f"{moment:%H:%M:%S}" if seconds else f"{moment:%H:%M}",
    )


def duration(seconds: float) -> str:
    """How long, in the coarsest words that still say something: `40 s`, `12 min`, `3 h 05`."""
    whole = max(0, int(seconds))
    if whole < 60:
        return f"{whole} s"
    minutes = whole // 60
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02}"


def ordinal(rank: int) -> str:
    """`1st`, `2nd`, `11th`."""
    ending = "th" if rank % 100 in {11, 12, 13} else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    return f"{rank}{ending}"


def make_environment() -> Environment:
    """The templates of `server/web/templates`, escaping everything; an unknown name is an error, never a gap."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(number=number, places=places, clock=clock, duration=duration, ordinal=ordinal)
    environment.filters["setting"] = show_value
    environment.globals["static"] = _static_addresses()
    return environment


def _static_addresses() -> dict[str, str]:
    """Each static file's address with a mark of its age, so that a browser may keep it until it changes."""
    files = {file.relative_to(STATIC).as_posix(): file for file in STATIC.rglob("*") if file.is_file()}
    return {name: f"/static/{name}?{int(file.stat().st_mtime):x}" for name, file in files.items()}
