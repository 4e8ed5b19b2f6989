"""`/scorekeeper/{machine}/malfunction`: a malfunction reported by hand, with a note and a photo from the phone.

The photo is kept as evidence before anything is said about it. The one invariant: a photo that cannot be kept is said
so, and the report goes on without it.
"""

import hashlib
from urllib.parse import quote

from fastapi import APIRouter
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from server.core.venue import commands as c
from server.core.venue import manual
from server.core.venue.outcomes import Done
from server.errors import ServerError
from server.evidence import LARGEST, Evidence
from server.web.forms import key_of, text
from server.web.pages.frame import Frame, Notice, told
from server.web.pages.scorekeeper import HREF, ByHand


def router(frame: Frame, evidence: Evidence) -> APIRouter:
    """The form's answer."""
    routes = APIRouter(include_in_schema=False)
    page = ByHand(frame)

    @routes.post(HREF + "/{machine}/malfunction")
    async def report(request: Request, machine: str) -> Response:
        person = await frame.need(request, HREF)
        async with request.form(max_fields=10, max_files=1) as form:
            photo, trouble = await _keep(evidence, form)
        fault, note = text(form, "fault", longest=40), text(form, "note")
        command = c.ReportMalfunction(machine=machine, fault=fault, note=note or None, evidence=photo)
        words = manual.REPORTABLE.get(fault, "It")
        key = key_of(_plain(form), "report", machine)
        outcome = await frame.venue.submit(command, person.actor, key)
        notice, status = told(outcome, f"{words}: reported.{trouble}")
        if not isinstance(outcome, Done):
            return await page.show(request, person, machine, said=notice, status=status)
        if trouble:
            notice = Notice(text=notice.text, tone="warn")
        frame.remember(person, notice)
        return RedirectResponse(f"{HREF}/{quote(machine)}", status_code=303)

    return routes


async def _keep(evidence: Evidence, form: FormData) -> tuple[str | None, str]:
    """The photo's name as evidence, None where there is none; and what to say if it could not be kept."""
    photo = form.get("photo")
    if not isinstance(photo, UploadFile) or not photo.size:
        return None, ""
    data = await photo.read(LARGEST + 1)
    digest = hashlib.sha256(data).hexdigest()
    if not data.startswith((b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff")):
        return None, " The photo is neither JPEG nor PNG and was left out."
    try:
        await run_in_threadpool(evidence.put, digest, data)
    except ServerError as error:
        return None, f" The photo was left out: {error}."
    return f"sha256:{digest}", ""


def _plain(form: FormData) -> FormData:
    """The form's texts: what tells one report from another."""
    return FormData([(name, value) for name, value in form.multi_items() if isinstance(value, str)])
