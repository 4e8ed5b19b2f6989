"""The roles of the venue, in the sets by which commands and pages are allowed. Data only.

Which command or page is open to which set is said where those are listed. The invariant: a set is written down once.
"""

SETUP = frozenset({"admin"})
OFFICIALS = frozenset({"admin", "official"})
FLOOR = frozenset({"admin", "official", "scorekeeper"})
COUNTER = frozenset({"admin", "official", "desk"})
STAFF = frozenset({"admin", "official", "scorekeeper", "desk"})
CAPTAINS = frozenset({"captain"})
ANYBODY = frozenset({"admin", "official", "scorekeeper", "desk", "captain", "viewer"})
