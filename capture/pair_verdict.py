"""What is said of a game's end when several sources tell it: certain where they agree, held where they do not.

Pure: a game and what it heard go in, the end's signals come out. Invariant: no score is certain that another source,
which sees it too, denies; nor any while an earlier disagreement is open and nobody confirms it.
"""

from dataclasses import dataclass, replace

from capture.pair_game import End, JointGame, Word, compare
from capture.signals import GameEnded, PlayerScore, ScoreRead, Signal


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """How the sources stand to the final scores of the one that is heard first."""

    lead: int
    words: dict[int, Word]
    """By player: the strongest word of the others."""
    deniers: frozenset[int] = frozenset()

    @property
    def disputed(self) -> bool:
        """Some score is denied."""
        return Word.DENIES in self.words.values()

    @property
    def confirmed(self) -> bool:
        """Somebody else saw these scores, and nobody denies one."""
        return not self.disputed and any(word in {Word.AGREES, Word.FITS} for word in self.words.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Other:
    """A source beside the one that leads. `here`: it follows the game still."""

    number: int
    exact: bool
    here: bool


def judge(game: JointGame, lead: int, others: list[Other], *, exact: bool) -> Verdict:
    """Hear the others on the final scores that `lead` states (`exact`: by wire). A denial outweighs all."""
    words: dict[int, Word] = {}
    deniers: set[int] = set()
    for score in game.ends[lead].ended.scores:
        if score.score is None:
            continue
        said = {
            other.number: game.word_of_wire(other.number, lead, score, here=other.here)
            if other.exact and not exact
            else game.word(other.number, lead, score)
            for other in others
        }
        words[score.player] = max(said.values(), default=Word.NOTHING)
        deniers |= {number for number, word in said.items() if word is Word.DENIES}
    return Verdict(lead=lead, words=words, deniers=frozenset(deniers))


def dispute(game: JointGame, verdict: Verdict, names: dict[int, str]) -> str:
    """Who says what of the first score that is denied: one line for an official."""
    for score in game.ends[verdict.lead].ended.scores:
        for other in sorted(verdict.deniers):
            theirs = _theirs(game, other, score.player)
            if score.score is not None and theirs is not None and theirs != score.score:
                told = compare(names[verdict.lead], score.score, names[other], theirs)
                return f"player {score.player}: {told}"
    return "the sources differ"


def contradiction(game: JointGame, end: End, name: str) -> str:
    """How a source's word that came after the end was said contradicts it; empty where it does not."""
    for score in game.finals:
        theirs = end.score(score.player)
        if score.score is not None and theirs is not None and theirs.score not in {None, score.score}:
            return f"player {score.player}: " + compare("what was told", score.score, name, theirs.score or 0)
    return ""


def conclude(game: JointGame, verdict: Verdict, others: list[int], *, at: int, mistrust: bool) -> list[Signal]:
    """The end, said once. `mistrust`: only what somebody confirms is certain."""
    ended = game.ends[verdict.lead].ended
    scores = tuple(_final(game, verdict, others, score, mistrust=mistrust) for score in ended.scores)
    slammed = any(end.ended.how == "slam-tilt" for end in game.ends.values())
    balls = next((end.ended.balls_played for end in (game.ends[verdict.lead], *game.ends.values())
                  if end.ended.balls_played is not None), None)  # fmt: skip
    game.told, game.finals = True, scores
    how, evidence = "slam-tilt" if slammed else ended.how, game.evidence()
    end = replace(ended, at=at, game=game.id, how=how, scores=scores, balls_played=balls, evidence=evidence)
    return [end, *(_read(game, end, score) for score in scores if score.score is None)]


def _final(game: JointGame, verdict: Verdict, others: list[int], score: PlayerScore, *, mistrust: bool) -> PlayerScore:
    word = verdict.words.get(score.player, Word.NOTHING)
    if score.score is None:
        return _helped(game, others, score)
    if word is Word.DENIES:
        theirs = [value for other in others if (value := _theirs(game, other, score.player)) is not None]
        return _held(score, tuple(dict.fromkeys((score.score, *theirs))))
    if mistrust and word not in {Word.AGREES, Word.FITS}:
        return _held(score, (score.score,))
    return score


def _helped(game: JointGame, others: list[int], score: PlayerScore) -> PlayerScore:
    """A doubtful score: certain where another source ended with the only value that it may be."""
    found = {other: end.score(score.player) for other in others if (end := game.ends.get(other))}
    certain = {one.score: one for one in found.values() if one is not None and one.score is not None}
    if len(certain) == 1 and score.candidates and set(score.candidates) == set(certain):
        return next(iter(certain.values()))
    more = [value for other in others if (value := _theirs(game, other, score.player)) is not None]
    return replace(score, candidates=tuple(dict.fromkeys((*score.candidates, *more)))[:8])


def _held(score: PlayerScore, candidates: tuple[int, ...]) -> PlayerScore:
    text = score.text if score.text is not None else str(score.score)
    return PlayerScore(player=score.player, score=None, confidence=0.0, text=text, candidates=candidates[:8])


def _theirs(game: JointGame, source: int, player: int) -> int | None:
    end = game.ends.get(source)
    said = end.score(player) if end else None
    return said.score if said is not None and said.score is not None else game.value(source, player)


def _read(game: JointGame, end: GameEnded, score: PlayerScore) -> ScoreRead:
    own = game.reads(score.player)
    return ScoreRead(
        at=end.at,
        game=game.id,
        player=score.player,
        text=score.text or "?",
        candidates=score.candidates,
        confidence=score.confidence,
        evidence=own.evidence if own else end.evidence,
    )
