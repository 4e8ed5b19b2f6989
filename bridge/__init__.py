"""Durable publishing: a fact is on disk before it is sent, and stays there until the server says it is committed.

Tournament rules never live here.
"""
