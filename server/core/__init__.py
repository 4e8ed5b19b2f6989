"""The rules and the venue: standard library only, no I/O, no clock.

`decide(state, command) -> events`, `evolve(state, event) -> state`: what happened is an event, and state is its fold.
"""
