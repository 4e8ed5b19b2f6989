"""Score reels: one box a wheel, a small network for each wheel's place, and what a row of them says together."""

from capture.vision.reels.reader import ReelsReader, open_display

__all__ = ["ReelsReader", "open_display"]
