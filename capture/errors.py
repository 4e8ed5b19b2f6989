"""What can go wrong in the capture room: each error says whose fault it is and what to do."""


class CaptureError(Exception):
    """The root: its text is one line that a person can act on."""


class SourceUnsupported(CaptureError):
    """The profile names a source that this version does not understand: the profile or the version is wrong."""


class LineGarbled(CaptureError):
    """A line of the peer makes no sense. Never leaves its dialect: it is counted there."""
