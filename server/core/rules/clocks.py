"""Times of the week and of the day that settings name, as moments in the venue's time (C3.4, T7.2, T13.3).

Nothing is decided here. Invariant: the zone's changes of clock are in every moment, and what hangs on a day that is
not known yet is None.
"""

from datetime import UTC, date, datetime, time, timedelta

from server.core.rules.setting_values import WEEKDAYS, WeekTime
from server.core.rules.state import State


def moment_of_week(state: State, when: WeekTime, fallback: datetime | None = None) -> datetime | None:
    """Give a weekday's time (UTC): the first on or after the setting `date`, else the day of the first game.

    None where neither is known, nor `fallback`.
    """
    first = _first_day(state, fallback)
    if first is None:
        return None
    return _at(state, first + timedelta(days=(when.weekday - first.weekday()) % 7), when.minutes)


def closing_time(state: State) -> datetime | None:
    """C3.4: give when qualifying is announced to close (UTC); None: nothing is announced, or its day is not known.

    A time of day is that of the setting `date`; without one the first such time after the first game began.
    """
    when = state.settings.qualifying_closes
    if when is None:
        return None
    if isinstance(when, WeekTime):
        return moment_of_week(state, when)
    first = _first_day(state, None)
    if first is None:
        return None
    moment = _at(state, first, when)
    begun = state.first_game_at or state.first_entry_at
    if state.settings.date is None and begun is not None and moment <= begun:
        return _at(state, first + timedelta(days=1), when)
    return moment


def late_number(state: State, at: datetime | None) -> str | None:
    """T7.2: say why a number of qualifiers decided then is too late, None where it is in time or nothing is known."""
    when = state.settings.qualifiers_by
    limit = moment_of_week(state, when) if when is not None else None
    if limit is None or at is None or at <= limit:
        return None
    local = limit.astimezone(state.head.zone)
    day = WEEKDAYS[local.weekday()].capitalize()
    return f"how many go on was to be decided by {day} {local.hour:02}:{local.minute:02}: officials look at it"


def _first_day(state: State, fallback: datetime | None) -> date | None:
    if state.settings.date is not None:
        return state.settings.date
    known = state.first_game_at or state.first_entry_at or fallback
    return None if known is None else known.astimezone(state.head.zone).date()


def _at(state: State, day: date, minutes: int) -> datetime:
    hour, minute = divmod(minutes, 60)
    return datetime.combine(day, time(hour, minute), tzinfo=state.head.zone).astimezone(UTC)
