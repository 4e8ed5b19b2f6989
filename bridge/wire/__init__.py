"""The contract between agent and server: topics, frames, facts, control messages. Strict, bounded, additive.

Nothing here does I/O or knows how a machine is read or a tournament is ruled. `docs/protocol.md` is its manual.
"""
