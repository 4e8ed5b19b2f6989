"""What comes in and goes out as a file: tournament files, the ledger, and tables for spreadsheets (CSV).

Bytes and plain values only: no sockets, no database, no pages. What a tournament means is for `server.core.rules`, who
may do what for `server.core.venue`. Invariant: a file comes in whole or not at all, and what is refused names its line.
"""
