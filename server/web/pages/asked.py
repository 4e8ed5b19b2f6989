"""What a form asks of the tournament that is running, and the entry of its log that is made of it.

Nothing is decided; what a form left empty is None in the entry, and the core leaves it out. The one invariant: the
tournament that is looked at is the one whose log is written.
"""

from starlette.datastructures import FormData
from starlette.requests import Request

from server.core.venue import commands as c
from server.core.venue.state import Tournament
from server.core.venue.values import Json
from server.web.auth import Person
from server.web.forms import FieldInvalid, text
from server.web.pages.frame import Frame


async def asked(frame: Frame, request: Request, href: str, *, fields: int = 80) -> tuple[Person, FormData, Tournament]:
    """Who asks what of which tournament at `href`. Raises NotAllowed, FieldInvalid where none is running."""
    person = await frame.need(request, href)
    form = await request.form(max_fields=fields, max_files=0)
    tournament = frame.venue.look(lambda scene: scene.tournament)
    if tournament is None:
        raise FieldInvalid("No tournament is running.")
    return person, form, tournament


def recorded(tournament: Tournament, form: FormData, entry: Json, *, despite_open: bool = False) -> c.RecordEntry:
    """The command that records the entry, with why and the word on recusal as the form has them."""
    return c.RecordEntry(
        tournament=tournament.id,
        entry=entry,
        why=text(form, "why") or None,
        despite_open=despite_open,
        despite_recusal=text(form, "despite_recusal") == "yes",
    )
