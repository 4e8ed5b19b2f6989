"""Seeing displays: pictures in, readings out. `open_reader` is the one door; models come to it as bytes.

What lives here is pure but for the loading of the shipped networks: no files, cameras, clocks or threads. One
invariant: a digit that was not seen is never invented.
"""
