"""A fold that is kept and carried on: what the rules say of one more entry, without walking the whole log again.

An entry changes nothing about those before it, unless it is a ruling that names games, or a game that some ruling
names: then the walk begins anew. Invariant: the answer is exactly that of a walk over the longer log.
"""

from collections.abc import Mapping

from server.core.rules.acts import Played, Ruling
from server.core.rules.entries import Entry
from server.core.rules.growing import Growing
from server.core.rules.output import describe
from server.core.rules.state import State
from server.core.rules.tournament import Tournament, read_entry, with_entry
from server.core.rules.walk import fold, take


class Running:
    """The state after a log that grows. Not for several threads at once."""

    def __init__(self) -> None:
        self._state: State | None = None
        self._log: Growing[Entry] | tuple[Entry, ...] = ()
        self._ahead: Entry | None = None
        self._spoken_of: frozenset[str] = frozenset()

    def evaluate(self, tournament: Tournament) -> dict[str, object]:
        """Give what `evaluate` gives. Costs little where the log is the one known from before and some plain entries.

        What was given before stays as it was.
        """
        return describe(self.state_after(tournament), tournament.now)

    def state_after(self, tournament: Tournament) -> State:
        """Give the state after the tournament's log: the same object as before where it could be carried on."""
        state, done = self._state, len(self._log)
        if state is None or state.head is not tournament.head or not _begins(tournament.log, self._log):
            return self._begin(tournament)
        fresh = tournament.log[done:]
        if self._ahead is not None:
            if not fresh or fresh[0] != self._ahead:
                return self._begin(tournament)
            self._ahead, fresh, done = None, fresh[1:], done + 1
        if not all(map(self._is_plain, fresh)):
            return self._begin(tournament)
        for number, entry in enumerate(fresh, done + 1):
            take(state, number, entry)
        self._log = tournament.log
        return state

    def refusal(self, tournament: Tournament, entry: Entry | Mapping[str, object]) -> str | None:
        """Say why the rules would refuse an entry added to the log now, None where they take it.

        Raises TournamentInvalid where a mapping is no entry at all. Costs little where the tournament is the one asked
        about before with the entry that was taken then.
        """
        next_one = read_entry(tournament, entry)
        state = self.state_after(tournament)
        if not self._is_plain(next_one):
            longer = with_entry(tournament, next_one)
            return dict(self._begin(longer).refused).get(len(longer.log))
        last_at = state.last_at
        problem = take(state, len(tournament.log) + 1, next_one)
        if problem is None:
            self._ahead = next_one
        else:
            state.refused.pop()
            state.last_at = last_at
        return problem

    def _begin(self, tournament: Tournament) -> State:
        """Walk over a whole log, and keep the state."""
        acts = [entry.act for entry in tournament.log]
        self._spoken_of = frozenset(name for act in acts if isinstance(act, Ruling) for name in act.games)
        self._state, self._log, self._ahead = fold(tournament), tournament.log, None
        return self._state

    def _is_plain(self, entry: Entry) -> bool:
        """Say whether an entry leaves everything before it as it is (C1.8)."""
        act = entry.act
        if isinstance(act, Ruling):
            return not act.games and self._state is not None and self._state.walks == 1
        return not (isinstance(act, Played) and act.game in self._spoken_of)


def _begins(log: Growing[Entry] | tuple[Entry, ...], known: Growing[Entry] | tuple[Entry, ...]) -> bool:
    return log.begins_with(known) if isinstance(log, Growing) else log[: len(known)] == tuple(known)
