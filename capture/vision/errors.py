"""What the reader refuses to begin: a call that makes no sense. Bad pictures are readings with a reason, not errors."""


class VisionInvalid(ValueError):
    """The display's description or the corners cannot be used; the text is one line that says what to change."""
