"""Tables of a profile that say how a machine of kind `wire` talks: one strict model each.

Data only. Invariant: a table that exists is bounded, and every pattern and path in it has been checked.
"""
