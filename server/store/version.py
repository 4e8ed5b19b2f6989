"""Which layout of tables a database has, and whether this program knows it.

Layout 1 is the first. A later layout brings its migration with it; until then a database of another layout is refused
with a clear word and left as it is.
"""

from sqlalchemy import Column, Engine, String, Table, insert, select

from server.errors import StoreUnavailable
from server.store.engine import writing
from server.store.schema import metadata

LAYOUT = "1"

about = Table(
    "about",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("value", String(200), nullable=False),
)


def check(engine: Engine) -> None:
    """Mark a new database, accept one of this layout. Raises StoreUnavailable for any other."""
    with writing(engine) as connection:
        found = connection.execute(select(about.c.value).where(about.c.name == "layout")).scalar()
        if found is None:
            connection.execute(insert(about), {"name": "layout", "value": LAYOUT})
            return
    if found != LAYOUT:
        raise StoreUnavailable(f"its layout is {found}, this program knows {LAYOUT}: use the Inlane that made it")
