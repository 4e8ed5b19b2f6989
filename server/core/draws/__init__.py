"""Who meets whom, where and in which order: draws, schedules, brackets, choices. Pure functions of plain values.

Nothing here knows the rules. Invariant: the same people, machines and seed give the same draw, everywhere.
"""
