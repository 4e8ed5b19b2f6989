"""Screens of pixels: one scoreboard box a player, read by our networks and by another reader, agreed over frames."""

from capture.vision.monitor.reader import MonitorReader

__all__ = ["MonitorReader"]
