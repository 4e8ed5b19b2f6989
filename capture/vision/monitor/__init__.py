"""Screens of pixels: one scoreboard box a player, read by our networks and by Tesseract, agreed over frames."""

from capture.vision.monitor.reader import MonitorReader, open_display

__all__ = ["MonitorReader", "open_display"]
