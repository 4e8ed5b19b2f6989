"""Which clause of the rules a fact or a setting follows: the preset's own where its file names it, else the shared one.

Invariant: `clause` never leaves a kind of fact without a rule: each has a shared clause here, a setting has its name.
"""

from collections.abc import Mapping

from server.core.rules.presets import Preset

SHARED: Mapping[str, str] = {
    "machine-score": "C1.1",
    "correction": "C1.1",
    "roll-overs": "C1.2",
    "rings": "C1.3",
    "ruling": "C1.4",
    "named": "C1.8",
    "cap": "C1.5",
    "zero": "C1.6",
    "void": "C1.6",
    "disqualified": "C3.5",
    "score": "C1",
    "as-counted": "C2.5",
    "bye": "C2.5",
    "rescaled": "C2.1",
    "cancelled": "C2.1",
    "attempt": "C2.1",
    "moved": "C2.1",
    "refused": "C4.8",
    "position": "C2.2",
    "unranked": "C2.4",
    "points": "C2.3",
    "total": "C2.5",
    "rank": "C2.5",
    "shared-rank": "C6.4",
    "before-rank": "C2.5",
    "tie": "C6.5",
    "tie-break": "C6.4",
    "count-back": "C6.4",
    "draw": "C6.4",
    "cut": "C4.9",
    "go-on": "C4.9",
    "passed-over": "C4.9",
    "seed": "C4.9",
    "group": "C4.6",
    "close": "C3.2",
    "place": "C2.5",
    "fees": "C5.1",
    "fee": "C5.1",
    "purchase": "C5.3",
    "free-entry": "C5.4",
    "entries-left": "C5.4",
    "entry-used": "C5.4",
    "given-up": "C5.4",
    "lapsed": "C5.4",
    "status": "C3.5",
    "penalty": "C3.5",
    "conduct": "CC5",
    "machine": "C3.3",
    "make-up": "C5.4",
    "match": "C2.5",
    "winner": "C2.5",
    "record": "C2.5",
    "slot": "C2.2",
    "against": "C2.2",
    "bonus": "C2.2",
    "out-of-match": "C3.5",
    "forfeit": "C3.5",
    "end": "C3.2",
    "challenge": "C3.5",
    "roster": "C3.5",
    "played": "C1",
    "absent": "C3.5",
    "offences": "C3.5",
}
"""What a fact of each kind follows where the preset says nothing of its own: clauses that the systems share."""


def clause(preset: Preset, what: str, *, stage: str | None = None, setting: str = "") -> str:
    """Give the clause for a kind of fact: of that stage, of the setting, of the preset, or the shared one."""
    own = preset.clauses
    return (
        (own.get(f"{stage}.{what}") if stage is not None else None)
        or (own.get(setting) if setting else None)
        or own.get(what)
        or ("" if setting else SHARED[what])
    )
