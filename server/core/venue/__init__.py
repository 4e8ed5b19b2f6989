"""The venue: what the desk knows and decides. Pure: standard library and `server.core.rules` only, no clock, no I/O.

`decide.decide` and `facts.decide_fact` turn what people want and what machines say into events; `evolve.evolve` folds
events into the `state.State`. The one invariant: the state is a function of the ledger, and a captured game never
leaves it.
"""
