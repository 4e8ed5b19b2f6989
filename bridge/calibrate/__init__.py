"""The calibration page's other side: `inlane-agent calibrate` (bridge/commands/calibrate.py) puts it together.

Here: the camera looked through, the draft that is edited, what is read by it, and the page over HTTP. Not here: how a
display is read (`capture.vision`), what the agent does with the result (`bridge.calibration`). Invariant: nothing is
written before somebody at the page says save.
"""
