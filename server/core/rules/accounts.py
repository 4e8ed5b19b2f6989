"""The life of an entry: registration, purchases, use, giving up, giving back, lapse (C5, T3, T4).

A pool of entries is a division, or "" for presets whose entries are tied to nothing. Invariant: only a registered
player has an account, and a score never depends on one (unless `require_entry` says so).
"""

from server.core.rules.acts import Abandon, Buy, Register
from server.core.rules.attempts import counts_on, take_place
from server.core.rules.setting_values import Price
from server.core.rules.settings import price_for
from server.core.rules.state import Booking, Game, PlayerState, State

MAX_ENTRIES = 1_000_000


def register(state: State, entry: int, act: Register) -> str | None:
    """C5.2, T3.1, T3.3: once; sets the skill division where it names one. Gives the reason when refused."""
    player = state.players.get(act.player)
    if player is None:  # UT20, EC12: a team's registration is a record
        return None if act.player in state.teams else f"there is no player {act.player}"
    if player.ejected:
        return f"{act.player} is out of the tournament"
    if player.registered:
        return f"{act.player} is registered already"
    division, problem = _registration_division(state, player, act.division)
    if problem:
        return problem
    if problem := take_place(state, entry):
        return problem
    player.division = division
    player.registered = True
    _book(player, Booking(entry=entry, what="registration", fee=state.settings.registration_fee))
    if division is not None and division in state.settings.skill_divisions and _lives_abroad(state, player):
        free = state.settings.free_entries_abroad
        _book(player, Booking(entry=entry, what="free-entry", pool=division, entries=free))
    return None


def buy(state: State, entry: int, act: Buy) -> str | None:
    """C5.2, C5.3, T1.7, T3.2. Gives the reason when refused."""
    player = state.players.get(act.player)
    if player is None:
        return f"there is no player {act.player}"
    if player.ejected:
        return f"{act.player} is out of the tournament"
    if not 1 <= act.entries <= MAX_ENTRIES:
        return f"a purchase is of 1 to {MAX_ENTRIES} entries"
    if not player.registered and state.head.preset.registers == "register":
        return f"{act.player} is not registered"
    pool, problem = _purchase_pool(state, player, act.division)
    if problem:
        return problem
    price = price_for(state.settings, pool)
    if state.settings.entry_price is None:
        return f"{state.head.preset.name} sells no entries"
    if price is None:
        return f"no price is set for entries of {pool or 'this tournament'}"
    if not player.registered:
        player.registered = True
        _book(player, Booking(entry=entry, what="registration", fee=state.settings.registration_fee))
    if player.division is None and pool in state.settings.skill_divisions:
        player.division = pool
    fee = price_of(act.entries, price)
    _book(player, Booking(entry=entry, what="purchase", pool=pool, entries=act.entries, fee=fee))
    return None


def price_of(entries: int, price: Price) -> int:
    """C5.3: whole bundles at their price, the rest at the single price."""
    if price.bundle is None or price.bundle_price is None:
        return entries * price.single
    bundles, rest = divmod(entries, price.bundle)
    return bundles * price.bundle_price + rest * price.single


def abandon(state: State, entry: int, act: Abandon) -> str | None:
    """T4.4, T4.5, T1.6: the entry is used, nothing else changes. Gives the reason when refused."""
    player = state.players.get(act.player)
    if player is None:
        return f"there is no player {act.player}"
    if state.settings.entry_price is None:
        return f"{state.head.preset.name} sells no entries: there is none to give up"
    if act.game is not None and act.game in state.games:
        return f"{act.game} is turned in already, it cannot be given up"
    if act.machine is not None and act.machine not in state.machines:
        return f"there is no machine {act.machine}"
    pool = _pool_given_up(state, player, act.machine)
    if pool is None:
        return f"{act.player} has no division"
    if (division := state.divisions.get(pool)) and division.skill and pool != player.division:
        return f"{act.player} is not in {pool}"
    if pool == player.owes_first_in and not any(is_used(game) for game in player.attempts.get(pool, ())):
        return f"{act.player} has moved up to {pool}: the first entry there cannot be given up"
    if act.game is not None:
        state.given_up.add(act.game)
    if player.registered:
        _use(state, player, pool, entry, "gives up an entry")
        player.bookings.append(Booking(entry=entry, what="given-up", pool=pool, entries=-1))
    return None


def _pool_given_up(state: State, player: PlayerState, machine: str | None) -> str | None:
    served = state.machines[machine].division if machine is not None else None
    if served is not None:
        return served
    return player.division if state.head.preset.divisions else ""


def charge(state: State, game: Game, who: str) -> None:
    """C5.1, C5.4, C5.5: an attempt uses an entry; without one it is flagged."""
    player = state.players[who]
    if player.registered and state.settings.entry_price is not None:
        game.charged = game.who if len(game.who) == 1 else (*game.charged, who)
        _use(state, player, game.division, game.entry, "has played")


def lacks_entry(state: State, who: str, pool: str) -> bool:
    """Say whether a registered player has no entry left in the pool."""
    player = state.players[who]
    return player.registered and player.entries.get(pool, 0) <= 0


def give_back(state: State, game: Game, who: str) -> None:
    """C5.4: an official's void gives the entry back, except after a penalty on that game.

    A game on a machine whose scores were wiped was made good by a free entry already (L15).
    """
    stage = game.stage
    made_good = stage is not None and state.settings.bank > 0 and counts_on(stage, game.machine.head.id) is None
    if who in game.charged and who not in game.about().penalised and not game.gone and not made_good:
        game.charged = tuple(other for other in game.charged if other != who)
        _add(state.players[who], game.division, 1)


def give_free_entry(state: State, who: str, entry: int) -> None:
    """L15: one more entry for a player whose machine's scores were wiped; without registration there is no account."""
    if state.players[who].registered:
        _book(state.players[who], Booking(entry=entry, what="free-entry", entries=1))


def is_used(game: Game) -> bool:
    """Say whether an attempt counts as played: not voided, or kept used by a penalty."""
    said = game.said
    return said is None or bool(said.penalised) or not (said.void or any(who in said.voided for who in game.who))


def lapse(player: PlayerState, pool: str, entry: int) -> None:
    """T1.4, T1.5: all entries of a division left are void, without refund."""
    left = player.entries.pop(pool, 0)
    player.bookings.append(Booking(entry=entry, what="lapsed", pool=pool, entries=-left))


def entries_left(state: State, player: PlayerState) -> int:
    """C5.4, T3.5: over all pools; what is unplayed at the close of a division has lapsed there."""
    total = 0
    for pool, left in player.entries.items():
        lapsed = left > 0 and state.settings.entries_lapse and state.divisions[pool].qualifying.closed
        total += 0 if lapsed else left
    return total


def _book(player: PlayerState, booking: Booking) -> None:
    player.bookings.append(booking)
    player.fees += booking.fee
    if booking.entries:
        _add(player, booking.pool, booking.entries)


def _add(player: PlayerState, pool: str, entries: int) -> None:
    player.entries[pool] = player.entries.get(pool, 0) + entries


def _use(state: State, player: PlayerState, pool: str, entry: int, what: str) -> None:
    left = player.entries.get(pool, 0)
    if left <= 0:
        state.flag(entry, "unpaid-entry", f"{player.head.id} {what} without an entry left")
    player.entries[pool] = left - 1


def _registration_division(state: State, player: PlayerState, wanted: str | None) -> tuple[str | None, str | None]:
    """Give the division that a registration leads to, and the reason why it may not (T1.1, T2.1)."""
    settings = state.settings
    if not state.head.preset.divisions:
        return None, None if wanted is None else f"{state.head.preset.name} has no divisions"
    if wanted is not None and wanted not in state.divisions:
        return None, f"there is no division {wanted}"
    division = wanted if wanted in settings.skill_divisions else player.division
    moved = any(booking.what == "lapsed" for booking in player.bookings)
    if division not in {None, player.division} and (moved or any(player.attempts.get(player.division or "", ()))):
        return None, f"{player.head.id} {'was moved to' if moved else 'has played in'} {player.division}: move him"
    if division is not None and (barred := barred_from(state, player, division)):
        return None, barred
    return division, None


def _purchase_pool(state: State, player: PlayerState, wanted: str | None) -> tuple[str, str | None]:
    if not state.head.preset.divisions:
        return "", None if wanted is None else f"{state.head.preset.name} has no divisions"
    pool = wanted if wanted is not None else player.division
    if pool is None:
        return "", f"say for which division: {player.head.id} has none"
    division = state.divisions.get(pool)
    if division is None:
        return "", f"there is no division {pool}"
    if division.skill and player.division not in {pool, None}:
        return "", f"{player.head.id} is not in {pool}: move first"
    if division.skill and player.division is None and (barred := barred_from(state, player, pool)):
        return "", barred
    if pool in player.out_of:
        return "", f"{player.head.id} is out of {pool}"
    if state.settings.entries_lapse and division.qualifying.closed and player.entries.get(pool, 0) >= 0:
        return "", f"{division.qualifying.id} is closed"
    return pool, None


def barred_from(state: State, player: PlayerState, division: str) -> str | None:
    """T2.1: say why a player ranks too high for a division, None where he may play in it."""
    limit = (state.settings.bar_rank or {}).get(division)
    rank = player.head.wppr_rank
    if limit is None or rank is None or rank > limit:
        return None
    return f"{player.head.id} ranks {rank}: the first {limit} of the ranking may not play {division}"


def _lives_abroad(state: State, player: PlayerState) -> bool:
    home = state.settings.home_country
    country = player.head.country
    return home is not None and country is not None and country.casefold() != home.casefold()
