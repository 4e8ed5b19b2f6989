"""Signal, reading, game: bytes or frames and a time go in, signals come out.

Pure: no I/O, threads, clocks, sleeping or randomness. Time is an argument, in milliseconds since the agent's boot.
"""
