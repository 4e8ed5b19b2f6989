"""How grave each fault is, and what the rule books call it: one table, suggested to officials and never decided.

Pure data. The sections are those of the rule books as `server/core/formats` numbers them: T the Toronto championship
(PAPA family), U and UT the UK Open and its teams, EC the country competition, CC 2CP, PC Pinball Chicago. The
invariant: what nobody has put here is looked at, not passed over, and nothing here changes a score.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Severity = Literal["alarm", "look", "note"]
"""`alarm`: somebody goes there now. `look`: an official looks when he can. `note`: kept, and nobody is called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What one rule book says about it, in our words; `ruling` is the kind of ruling that composes it, if any."""

    book: str
    section: str
    says: str
    ruling: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """What to make of a fault. `called`: the class in the rule books' words; `idle`: how grave it is outside a game."""

    severity: Severity
    called: str
    rules: tuple[Rule, ...] = ()
    idle: Severity | None = None
    first: bool = False
    """Before all other alarms."""

    def stays(self, *, in_game: bool) -> bool:
        """Whether somebody must have seen it, though it is over by itself: it may need a ruling, or an official."""
        return self.at(in_game=in_game) == "alarm" and (bool(self.rules) or self.first)

    def at(self, *, in_game: bool) -> Severity:
        """How grave it is now."""
        return self.severity if in_game or self.idle is None else self.idle

    def called_at(self, *, in_game: bool) -> str:
        """What it is called now: outside a game there is nothing to rule on."""
        return self.called if in_game or self.idle is None else OUTSIDE


def suggestion(fault: str) -> Suggestion:
    """What to make of the fault; one that nobody knows is to be looked at."""
    return FAULTS.get(fault, UNKNOWN)


def rules_of(found: Suggestion, preset: str | None) -> tuple[Rule, ...]:
    """The rules of the tournament's own book; all there are where it says nothing of its own."""
    book = SAME_BOOK.get(preset or "", preset)
    own = tuple(rule for rule in found.rules if rule.book == book)
    return own or found.rules


SAME_BOOK: Mapping[str, str] = {"epc": "uk-open", "epc-classic": "uk-open", "uk-kids": "uk-open"}
"""Formats that take their rules of conduct from another."""

OURS = "reader's own trouble"
OUTSIDE = "outside a game: nothing to rule on"
PLAYER = "player error"
STUCK = "stuck ball"
MAJOR = "major malfunction"
CATASTROPHIC = "catastrophic malfunction"
BENEFICIAL = "beneficial malfunction"

_TILT = (
    Rule(book="tpc", section="T14.1", says="the ball is lost, on old machines the game; tilting another's ball: T14.2"),
    Rule(book="uk-open", section="U6.6", says="the ball is lost"),
    Rule(book="2cp", section="CC1", says="none, unless a stuck ball forced the player to tilt: then a major one"),
    Rule(book="pinball-chicago", section="PC35", says="a sensitive tilt is no malfunction"),
)
_SLAM = (
    Rule(book="tpc", section="T14.3", says="0 for the one who did it, the others replay and the higher score counts",
         ruling="best-of"),
    Rule(book="tpc", section="T14.3", says="a faulty sensor: catastrophic for all, no penalty", ruling="add-ball"),
    Rule(book="uk-open", section="U6.4", says="the game is over, the score so far stands, an official looks",
         ruling="stand"),
    Rule(book="uk-team", section="UT9", says="the team loses the match; over-sensitive switch: restart if they agree"),
    Rule(book="epc-country", section="EC10", says="the whole match is lost; over-sensitive switch: that game again"),
    Rule(book="2cp", section="CC4", says="interference where it was on purpose"),
    Rule(book="pinball-chicago", section="PC29", says="the game is lost for the team, however sensitive the switch"),
)  # fmt: skip
_STUCK = (
    Rule(book="tpc", section="T12, stuck balls",
         says="after four searches an official is called; he nudges first, then opens; his own tilt is a major one"),
    Rule(book="uk-open", section="U6.6", says="freed at the player's own risk, else put into a dead spot"),
    Rule(book="uk-team", section="UT17", says="a partner calls, the player stays; the ball goes into a dead spot"),
    Rule(book="epc-country", section="EC17", says="the partner calls an official, the player stays"),
    Rule(book="2cp", section="CC3", says="nudge at the own risk, or staff open the glass; the bonus is kept"),
    Rule(book="pinball-chicago", section="PC34", says="tell the opponent, shake; a tilt after that: an extra ball",
         ruling="add-ball"),
)  # fmt: skip
_MAJOR = (
    Rule(book="tpc", section="T12.2", says="a turn lost early in no normal way: one ball more on a new game, added",
         ruling="add-ball"),
    Rule(book="tpc", section="T12.4", says="on the first ball of the first player: the game is void and begins anew",
         ruling="void"),
    Rule(book="uk-team", section="UT14", says="play on, or end the game and replay", ruling="replay"),
    Rule(book="2cp", section="CC1", says="that player plays the game again; the new score counts", ruling="replay"),
    Rule(book="pinball-chicago", section="PC35", says="ball 1: all begin anew; later: start over, or one ball more",
         ruling="replay"),
)  # fmt: skip
_CATASTROPHIC = (
    Rule(book="tpc", section="T12.8", says="play ended for all: the scores are noted, each one's missing balls added",
         ruling="add-ball"),
    Rule(book="tpc", section="T12.8", says="or all play anew and the higher score counts", ruling="best-of"),
    Rule(book="uk-team", section="UT14", says="the officials agree a remedy with both captains", ruling="replay"),
    Rule(book="2cp", section="CC2", says="20 minutes to repair it, else another machine, or its scores are not used"),
    Rule(book="pinball-chicago", section="PC35", says="reset after all first balls: scores noted, the rest added",
         ruling="add-ball"),
)  # fmt: skip
_RESTART = (
    Rule(book="tpc", section="T12.8", says="a new game that starts by itself is a catastrophic one", ruling="add-ball"),
    Rule(book="tpc", section="T4.7", says="a restart by the player disqualifies the entry"),
    Rule(book="uk-open", section="U6.3", says="a game that no official started is invalid", ruling="void"),
)
_BENEFICIAL = (
    Rule(book="tpc", section="T12.9", says="a ball that goes on against expectation is allowed once a game",
         ruling="stand"),
    Rule(book="tpc", section="T12.10", says="an advantage in points: the score is void and played again, or adjusted",
         ruling="replay"),
    Rule(book="pinball-chicago", section="PC35", says="false awards are a major one", ruling="replay"),
)  # fmt: skip
_PLAYERS = (
    Rule(book="tpc", section="T4.6", says="in qualifying only the first in order of play counts"),
    Rule(book="pinball-chicago", section="PC35", says="a wrong number of players is a major one", ruling="replay"),
)

FAULTS: Mapping[str, Suggestion] = {
    "official-called": Suggestion(severity="alarm", called="a player or scorekeeper wants an official", first=True),
    "tilt": Suggestion(severity="note", called=f"{PLAYER}: tilt, the ball is lost", rules=_TILT),
    "tilt-warning": Suggestion(severity="note", called="nothing: lost warnings alone are part of play", rules=(
        Rule(book="tpc", section="T12.1", says="warnings lost without the ball are at most a minor one",
             ruling="stand"),
    )),
    "slam-tilt": Suggestion(severity="alarm", called=f"{PLAYER}: slam tilt, or a faulty sensor", rules=_SLAM,
                            idle="look"),
    "ball-search": Suggestion(severity="look", called=STUCK, rules=_STUCK),
    "ball-missing": Suggestion(severity="alarm", called=f"{STUCK}, or a lost one", rules=_STUCK),
    "ball-ended-early": Suggestion(severity="alarm", called=f"perhaps a {MAJOR}", rules=_MAJOR),
    "reset": Suggestion(severity="alarm", called=CATASTROPHIC, rules=_CATASTROPHIC, idle="look"),
    "link-lost": Suggestion(severity="alarm", called=f"{CATASTROPHIC}, or the {OURS}", rules=_CATASTROPHIC,
                            idle="look"),
    "power-lost": Suggestion(severity="alarm", called=CATASTROPHIC, rules=_CATASTROPHIC),
    "restarted": Suggestion(severity="alarm", called=f"{CATASTROPHIC}, or a {PLAYER}: restart", rules=_RESTART),
    "service-mode": Suggestion(severity="look", called="an attendant at work", idle="note", rules=(
        Rule(book="tpc", section="T12, stuck balls", says="a game lost by opening or closing is a catastrophic one",
             ruling="add-ball"),
    )),
    "score-jump": Suggestion(severity="look", called=f"perhaps a {BENEFICIAL}", rules=_BENEFICIAL),
    "score-stuck": Suggestion(severity="look", called=f"{STUCK}, or a {BENEFICIAL}", rules=(*_STUCK, *_BENEFICIAL)),
    "wrong-players": Suggestion(severity="alarm", called=f"{PLAYER}: wrong number of players", rules=_PLAYERS),
    "unassigned-play": Suggestion(severity="look", called="the desk assigns the players"),
    "sources-disagree": Suggestion(severity="look", called=f"{OURS}: an official compares both"),
    "second-result": Suggestion(severity="alarm", called=OURS),
    "display-unreadable": Suggestion(severity="look", called=OURS),
    "display-frozen": Suggestion(severity="look", called=OURS),
    "display-dark": Suggestion(severity="alarm", called=f"{CATASTROPHIC} (power), or a lamp", rules=_CATASTROPHIC,
                               idle="look"),
    "camera-moved": Suggestion(severity="look", called=OURS),
    "camera-lost": Suggestion(severity="alarm", called=OURS, idle="look"),
    "data-garbled": Suggestion(severity="look", called=OURS),
    "no-data": Suggestion(severity="look", called=OURS),
    "port-lost": Suggestion(severity="alarm", called=OURS, idle="look"),
    "wrong-device": Suggestion(severity="alarm", called=OURS),
    "reader-failed": Suggestion(severity="alarm", called=OURS, idle="look"),
    "clock-unsynced": Suggestion(severity="note", called=f"{OURS}: its times are not used"),
    "disk-low": Suggestion(severity="look", called=OURS),
    "undervoltage": Suggestion(severity="look", called=OURS),
    "outbox-damaged": Suggestion(severity="alarm", called=f"{OURS}: games may be missing, check the last ones"),
    "facts-lost": Suggestion(severity="alarm", called=f"{OURS}: games may be missing, check the last ones"),
    "facts-not-understood": Suggestion(severity="look", called=OURS),
    "stream-forked": Suggestion(severity="alarm", called=f"{OURS}: a copied card"),
    "stream-moved": Suggestion(severity="look", called=OURS),
    "two-computers": Suggestion(severity="alarm", called=f"{OURS}: two computers under one name"),
}  # fmt: skip
"""Every fault of docs/signals.md and every alarm of the desk."""

UNKNOWN = Suggestion(severity="look", called="not known here: an official looks")
