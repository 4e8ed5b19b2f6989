"""Team systems: rosters, matches, line-ups, and what stages of teams come to.

Built from the same parts as the individual systems (`server.core.rules`): games, rulings, ties, stages, machines. The
invariant: a game is kept by who played, and who a player plays for is asked of the roster of that day.
"""
