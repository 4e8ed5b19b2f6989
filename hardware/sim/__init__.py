"""Simulated machines: a seeded player plays real games, and a machine shows or speaks them.

They stand behind the same `open_port` as the real thing, with the true time line as oracle.
"""
