"""Several sources of one machine joined: whatever they say and in whatever order, one game, one beginning, one end.

Here: which source's word counts when. Comparing is `pair_game`, the end `pair_verdict`, faults `pair_faults`. No I/O,
no clock. The rules, a wire being exact and a camera not:

- A game begins with the first source that says so; a camera alone is waited with while a wire is heard that says none.
- While a wire follows the game it alone ends it; a camera carries it on, and ends it, where no wire does (any more).
- Its final scores are said at once where another source showed them, or the way to them; else after `HOLD_MS`; where
  another is certain of others, after its own last word or `WORD_MS`, and then an official decides.
- After that, what nobody confirms is held, until a game ends on which they agree.
"""

from dataclasses import replace

from capture.pair_faults import JointFaults
from capture.pair_game import LAG_MS, End, JointGame
from capture.pair_verdict import Other, Verdict, conclude, contradiction, dispute, judge
from capture.pair_voice import START_MS, Kind, Voice, Voices
from capture.signals import (
    BallEnded,
    FaultCleared,
    FaultRaised,
    GameAborted,
    GameEnded,
    GameStarted,
    MachineAttached,
    MachineDetached,
    ScoreFrozen,
    ScoreLive,
    ScoreRead,
    Scores,
    Signal,
)

HOLD_MS = 6_000
"""So long a wire's final scores wait for a camera that sees but has shown nothing of them."""
WORD_MS = 60_000
"""So long two that contradict each other are waited for; and a wire that does not say the end that a camera saw."""
DISAGREE = "sources-disagree"
BLINDING = {"camera-lost", "display-dark", "display-unreadable", "display-frozen", "no-data", "wrong-device"}


class Pair:
    """Joins the signals of several captures. Sources are told by their number."""

    def __init__(self, kinds: list[Kind]) -> None:
        self._voices = Voices(kinds)
        self._faults = JointFaults()
        self._game: JointGame | None = None
        self._last: JointGame | None = None
        self._games, self._disputed = 0, False
        self.closing = False
        """The agent stops: no game begins any more."""

    # --- what comes in ---------------------------------------------------------------------------------

    def take(self, source: int, signals: list[Signal], live: list[ScoreLive], at: int) -> list[Signal]:
        """What a source's capture said, and its scores as they stand after that; returns what is to be said."""
        voice, said, frozen = self._voices[source], self.tick(at), set[str]()
        reads = tuple(signal for signal in signals if isinstance(signal, ScoreRead))
        for signal in signals:
            self._voices.learn(voice, signal, self._game)
            match signal:
                case GameStarted():
                    said += self._started(voice, signal, [one for one in live if one.game == signal.game])
                case BallEnded():
                    said += self._ball(voice, signal)
                case GameEnded():
                    mine = tuple(read for read in reads if read.game == signal.game)
                    said += self._ended(voice, End(at=at, ended=signal, reads=mine))
                case GameAborted():
                    said += self._aborted(voice, signal)
                case FaultRaised():
                    raised = self._fault(voice, signal)
                    frozen |= {signal.fault} if raised else set()
                    said += raised
                case FaultCleared():
                    said += self._faults.clear(source, signal, self._id, self._standing())
                case ScoreFrozen() if signal.why in frozen and self._game is not None:
                    said.append(replace(signal, game=self._game.id, scores=self._standing()))
                case MachineAttached() | MachineDetached():
                    said += self._voices.link(voice, signal)
        self._note(voice, live, at)
        return said + self._weigh(at)

    def tick(self, now: int) -> list[Signal]:
        """Time has passed: what was waited for does not come."""
        said: list[Signal] = []
        for voice in self._voices.all:
            waited = voice.waiting
            if waited is not None and now >= voice.begun + START_MS:
                game = self._game
                said += self._join(voice, game) if game else self._begin(voice, waited, alone=True)
        return said + self._weigh(now)

    def deadline(self) -> int | None:
        """When `tick` has something to do."""
        due = [voice.begun + START_MS for voice in self._voices.all if voice.waiting]
        if self._game is not None and self._game.ends:
            due.append(self._due(self._game))
        return min(due, default=None)

    def live(self) -> list[ScoreLive]:
        """The scores of the running game as they stand."""
        game = self._game
        return [] if game is None else game.live(self._voices.here_first(game))

    def freeze(self, now: int, why: str) -> list[Signal]:
        """Keep the last stable scores at once, of the game that runs or ran last."""
        game = self._game or self._last
        scores = game.finals or self._standing() if game else ()
        return [ScoreFrozen(at=now, game=game.id, scores=scores, why=why)] if game else []

    def gone(self, source: int, at: int) -> list[Signal]:
        """A source's reader is no more: the next one names its games anew."""
        voice = self._voices[source]
        said = self._faults.forget(source, at)
        if voice.game:
            said += self._aborted(voice, GameAborted(at=at, game=voice.game, how="link-lost", scores=()))
        if voice.attached:
            said += self._voices.link(voice, MachineDetached(at=at, port=voice.port, detail="its reader failed"))
        self._voices.renew(source)
        return said + self._weigh(at)

    def stop(self, at: int) -> list[Signal]:
        """Nothing more will come."""
        return self._close(at, "link-lost")

    # --- games -----------------------------------------------------------------------------------------

    def _started(self, voice: Voice, started: GameStarted, live: list[ScoreLive]) -> list[Signal]:
        at, game = started.at, self._game
        voice.game, voice.begun, voice.waiting = started.game, at, None
        if self.closing:
            return []
        if game is not None and voice.number in game.ends and not (voice.kind.exact or started.joined_late):
            voice.part, voice.waiting = None, started  # the wire may be about to say the same
            return []
        if game is not None and self._voices.same(voice, started, game, live):
            return self._join(voice, game)
        unsaid = game is None and not voice.kind.exact and self._voices.wire_says_none()
        told = self._last if game is None and self._last is not None and self._last.is_near(at, WORD_MS) else None
        if told is not None and (told.shows(live) or (unsaid and started.joined_late)):
            voice.part = told  # it sees the end of the game that was told
            return []
        if unsaid:
            voice.part, voice.waiting = None, started
            return []
        return self._close(at, "restart") + self._begin(voice, started)

    @staticmethod
    def _join(voice: Voice, game: JointGame) -> list[Signal]:
        voice.part, voice.waiting, game.alone = game, None, game.alone and not voice.kind.exact
        game.ends.pop(voice.number, None)
        return []

    def _begin(self, voice: Voice, started: GameStarted, *, alone: bool = False) -> list[Signal]:
        self._games += 1
        game = self._game = JointGame(id=f"game-{self._games}", at=started.at, alone=alone)
        voice.part, voice.waiting = game, None
        for other in self._voices.all:
            fresh = other.begun >= started.at - START_MS and other.part is None
            if other is not voice and other.game is not None and (other.waiting or fresh):
                other.part, other.waiting = game, None
        return [replace(started, game=game.id)]

    def _ball(self, voice: Voice, ball: BallEnded) -> list[Signal]:
        game, turn = voice.part, (ball.player, ball.ball)
        if game is None or game is not self._game or turn in game.balls or self._voices.speaker(game) is not voice:
            return []
        game.balls.add(turn)
        return [replace(ball, game=game.id)]

    def _ended(self, voice: Voice, end: End) -> list[Signal]:
        game, voice.game, voice.waiting = voice.part, None, None
        if game is None:
            return []
        if game.told:
            return self._late_word(voice, game, end)
        game.close(voice.number, end)
        return []

    def _late_word(self, voice: Voice, game: JointGame, end: End) -> list[Signal]:
        """The game is told: another source's word can only confirm it, or show that an official must look."""
        if game is not self._last or game.aborted or (self._game is not None and voice.begun < self._game.at):
            return []  # it may have followed the one game into the next
        wrong = contradiction(game, end, self._voices.names[voice.number])
        if not wrong:
            return []
        game.close(voice.number, end)
        return self._disagree(end.at, game, wrong)

    def _aborted(self, voice: Voice, gone: GameAborted) -> list[Signal]:
        game, voice.game, voice.waiting = voice.part, None, None
        if game is None or game is not self._game or voice.number in game.ends:
            return []
        carried = [other for other in self._voices.all if other is not voice and other.follows(game)]
        lost = gone.how in {"link-lost", "display-lost"}
        if game.ends or (carried and (lost or not voice.kind.exact)):
            return []
        return self._abort(gone.at, gone.how, gone)

    def _abort(self, at: int, how: str, gone: GameAborted | None = None) -> list[Signal]:
        game = self._game
        if game is None:
            return []
        scores, picture = game.newest(self._voices.order), gone.evidence if gone else None
        game.told, game.aborted, game.finals, self._game, self._last = True, how, scores, None, game
        end = GameAborted(at=at, game=game.id, how=how, scores=scores, evidence=picture)
        return [end, *self._faults.clear_game(at, game.id)]

    def _close(self, at: int, how: str) -> list[Signal]:
        """The game that runs is over, for another one begins or nothing more comes."""
        if self._game is None:
            return []
        return self._tell(self._game, at) if self._game.ends else self._abort(at, how)

    # --- the end ---------------------------------------------------------------------------------------

    def _weigh(self, now: int) -> list[Signal]:
        """Say the end as soon as it can be said."""
        game = self._game
        return self._tell(game, now) if game is not None and game.ends and now >= self._due(game) else []

    def _due(self, game: JointGame) -> int:
        """When the end is to be said, as things stand."""
        verdict = self._judge(game)
        end, seers = game.ends[verdict.lead], self._seers(game)
        wires = [one for one in seers if self._voices[one].kind.exact]
        if wires and not self._voices[verdict.lead].kind.exact:  # a camera saw an end that the wire does not say
            moved = [track.changed for one in wires for track in game.tracks.get(one, {}).values()]
            return max(end.at, *moved, 0) + WORD_MS
        if verdict.disputed:
            return end.at + (WORD_MS if verdict.deniers & seers else 0)
        return end.at + (HOLD_MS if seers and not verdict.confirmed else 0)

    def _tell(self, game: JointGame, at: int) -> list[Signal]:
        verdict = self._judge(game)
        others = [one for one in self._voices.order if one != verdict.lead]
        mistrust = game.alone or (self._disputed and not verdict.confirmed)
        finals, agreed = game.ends[verdict.lead].ended.scores, verdict.confirmed and not game.alone
        said = self._faults.clear(-1, FaultCleared(at=at, fault=DISAGREE), game.id, finals) if agreed else []
        self._disputed = self._disputed and not agreed  # said before the end: what they agree on is not held
        said += conclude(game, verdict, others, at=at, mistrust=mistrust)
        said += self._faults.clear_game(at, game.id)
        self._game, self._last = None, game
        if verdict.disputed:
            said += self._disagree(at, game, dispute(game, verdict, self._voices.names))
        elif game.alone:
            said += self._disagree(at, game, f"{self._voices.names[verdict.lead]} saw a game that no wire told of")
        return said

    def _judge(self, game: JointGame) -> Verdict:
        lead = next(one for one in self._voices.order if one in game.ends)
        others = [
            Other(number=one, exact=self._voices[one].kind.exact, here=self._voices[one].hears(game))
            for one in self._voices.order
            if one != lead
        ]
        return judge(game, lead, others, exact=self._voices[lead].kind.exact)

    def _seers(self, game: JointGame) -> set[int]:
        """Who could still say something of the end."""
        there = {voice.number for voice in self._voices.all if voice.hears(game)} - set(game.ends)
        return {number for number in there if not BLINDING & self._faults.of(number)}

    def _disagree(self, at: int, game: JointGame, detail: str) -> list[Signal]:
        self._disputed = True
        return self._faults.raise_(-1, "", FaultRaised(at=at, fault=DISAGREE, detail=detail), game.id, game.finals)

    # --- what the sources show, and their links --------------------------------------------------------

    def _note(self, voice: Voice, live: list[ScoreLive], at: int) -> None:
        """Scores as they stand in one source."""
        game, mine = self._game, [one for one in live if one.game == voice.game]
        if game is None or not mine:
            return
        if voice.part is not game and not voice.waiting and not voice.kind.exact:
            wires = [one for one in self._voices.order if self._voices[one].kind.exact and one in game.tracks]
            if any(game.meets(one, mine, at) for one in wires):
                voice.part = game  # it stayed in an earlier game, but shows this one
        if voice.part is not game or not game.note(voice.number, mine) or not voice.kind.exact:
            return
        for number, end in list(game.ends.items()):
            if not self._voices[number].kind.exact and end.at + LAG_MS < at:
                del game.ends[number]  # what a camera took for the end was none: the wire plays on

    def _fault(self, voice: Voice, raised: FaultRaised) -> list[Signal]:
        if not self._voices.heeds(voice, raised.fault, self._game):
            return []
        label = self._voices.label(voice, raised.fault, raised.detail)
        return self._faults.raise_(voice.number, label, raised, self._id, self._standing())

    @property
    def _id(self) -> str | None:
        return self._game.id if self._game else None

    def _standing(self) -> Scores:
        game = self._game or self._last
        return game.standing(self._voices.here_first(game)) if game else ()
