"""The ledger on disk: the one package that imports sqlalchemy."""
