"""`/healthz`: each part says how it is. 200 while results are safe, 503 where the ledger cannot be written."""

import asyncio
from collections.abc import Mapping

from fastapi import APIRouter

from server.services import Services
from server.web.api.door import Answer, StrictRoute


def router(services: Services) -> APIRouter:
    """The route."""
    api = APIRouter(route_class=StrictRoute, tags=["operations"])

    @api.get("/healthz")
    async def healthz() -> Answer:
        """Database, writer, broker, ingest, evidence. Public; says nothing secret."""
        database = await asyncio.to_thread(services.store.check)
        writer = services.desk.check()
        link = services.broker()
        parts: dict[str, dict[str, object]] = {
            "database": _part(database),
            "writer": _part(writer),
            "broker": {"ok": link.state == "up", "state": link.state, "why": link.why},
            "ingest": {**_part(_stuck(services.desk.stuck)), "refused_messages": services.desk.refusals},
            "evidence": {"ok": not services.evidence.full, "bytes": services.evidence.size},
        }
        safe = database is None and writer is None
        well = all(part["ok"] for part in parts.values())
        status = "ok" if well else "degraded" if safe else "down"
        body = {"status": status, "parts": parts, "viewers": services.hub.viewers, "position": services.hub.position}
        return Answer(body, status_code=200 if safe else 503)

    return api


def _stuck(agents: Mapping[str, str]) -> str | None:
    found = "; ".join(f"facts of {agent} cannot be taken: {why}" for agent, why in sorted(agents.items())[:8])
    return found or None


def _part(trouble: str | None) -> dict[str, object]:
    return {"ok": trouble is None, "why": trouble or ""}
