"""The desk: ledger, rules, ingest, web and API.

How a display or a protocol is read never lives here.
"""
