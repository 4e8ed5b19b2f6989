"""Memory maps: where in a machine's memory its scores, ball and players stand. Data about memory, as data.

Here: reading maps in PinMAME's map format (file formats 0.1 to 0.8) and memory images. Not here: what the bytes mean
(`capture.dialects.memory`). Invariant: a map that exists is whole and bounded. The maps of the Pinball Memory Maps
project are LGPL data and stay outside of this project: they are read from where the user put them.
"""
