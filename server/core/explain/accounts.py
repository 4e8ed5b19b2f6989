"""Why a player owes what he owes and has the entries left that he has: purchases, games, what lapsed (C5).

Invariant: the parts of the fees, and those of the entries left, add up to the number.
"""

from server.core.explain.grounds import Grounds, count
from server.core.explain.lines import Line
from server.core.rules.accounts import entries_left
from server.core.rules.settings import price_for
from server.core.rules.state import ATTEMPT, Booking, PlayerState


def explain_account(grounds: Grounds, player: PlayerState) -> list[Line]:
    """Give the lines of a player's fees and of his entries left; without registration there is no account (C5.1).

    What was refused of what he asked for at the desk is told as well.
    """
    who = player.head.id
    refused = [
        grounds.line("refused", f"{away.what} was refused: {away.why}", None, who=who, entries=(away.number,))
        for away in grounds.history.turned_away.get(who, ())
    ]
    if not player.registered:
        because = "not registered in the log: no fees, no entries are accounted for"
        return [grounds.line("fees", because, player.fees, who=who), *refused]
    lines = [_fees(grounds, player)]
    if grounds.settings.entry_price is not None:
        lines.append(_entries(grounds, player))
    return lines + refused


def _fees(grounds: Grounds, player: PlayerState) -> Line:
    parts = [
        _fee(grounds, player, booking) for booking in player.bookings if booking.what in {"registration", "purchase"}
    ]
    entries = [entry for part in parts for entry in part.entries]
    words = " + ".join(str(part.value) for part in parts)
    because = f"fees: {words} = {player.fees}" if len(parts) > 1 else f"fees: {player.fees}"
    return grounds.line("fees", because, player.fees, who=player.head.id, entries=entries, parts=parts)


def _fee(grounds: Grounds, player: PlayerState, booking: Booking) -> Line:
    who, entries = player.head.id, (booking.entry,)
    if booking.what == "registration":
        because = f"registration: {booking.fee}"
        return grounds.line("fee", because, booking.fee, setting="registration_fee", who=who, entries=entries)
    price = price_for(grounds.settings, booking.pool)
    because = f"{count(booking.entries, 'entry', 'entries')} bought together: {booking.fee}"
    if price is not None and price.bundle is not None and price.bundle_price is not None:
        bundles, rest = divmod(booking.entries, price.bundle)
        parts = [f"{bundles} times {price.bundle} for {price.bundle_price}"] if bundles else []
        parts += [f"{rest} at {price.single}"] if rest else []
        because += f" ({', '.join(parts)})"
    elif price is not None:
        because += f" ({booking.entries} at {price.single})"
    return grounds.line("purchase", because, booking.fee, setting="entry_price", who=who, entries=entries)


def _entries(grounds: Grounds, player: PlayerState) -> Line:
    who, left = player.head.id, entries_left(grounds.state, player)
    parts = [_booked(grounds, player, booking) for booking in player.bookings if booking.entries]
    for game in grounds.history.played.get(who, ()):
        if game.kind == ATTEMPT and game.played.makeup is not None:
            because = f"game {game.id} makes up for {grounds.machine(game.played.makeup)}: it uses none"
            parts.append(grounds.line("make-up", because, 0, who=who, game=game.id, entries=(game.entry,)))
        elif who in game.charged:
            because = f"game {game.id} on {grounds.machine(game.machine.head.id)} used one{_of(game.division)}"
            parts.append(grounds.line("entry-used", because, -1, who=who, game=game.id, entries=(game.entry,)))
    parts.sort(key=lambda part: part.entries)
    for pool, held in player.entries.items():
        division = grounds.state.divisions.get(pool)
        if grounds.settings.entries_lapse and held > 0 and division is not None and division.qualifying.closed:
            stage = division.qualifying
            because = f"{count(held, 'entry', 'entries')} left at the close of {stage.id}: void, no refund"
            parts.append(
                grounds.line(
                    "lapsed",
                    because,
                    -held,
                    setting="entries_lapse",
                    who=who,
                    stage=stage,
                    entries=(stage.closed_entry,),
                )
            )
    entries = [entry for part in parts for entry in part.entries]
    because = f"{count(left, 'entry', 'entries')} left" if left >= 0 else f"{-left} played without having been bought"
    return grounds.line("entries-left", because, left, who=who, entries=entries, parts=parts)


def _booked(grounds: Grounds, player: PlayerState, booking: Booking) -> Line:
    free = f"{count(booking.entries, 'free entry', 'free entries')}{_of(booking.pool)}"
    words = {
        "purchase": f"{count(booking.entries, 'entry', 'entries')} bought{_of(booking.pool)}",
        "free-entry": free + _why_free(grounds, booking),
        "given-up": f"an entry given up{_of(booking.pool)}: used without a score",
        "lapsed": f"moved out of {booking.pool}: what was left there is void",
    }
    because = words.get(booking.what, booking.what)
    return grounds.line(booking.what, because, booking.entries, who=player.head.id, entries=(booking.entry,))


def _why_free(grounds: Grounds, booking: Booking) -> str:
    if booking.pool:
        home = grounds.settings.home_country
        return f" for living outside {home}"
    return " for a machine whose scores were wiped"


def _of(pool: str) -> str:
    return f" in {pool}" if pool else ""
