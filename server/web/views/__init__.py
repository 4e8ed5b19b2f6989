"""State to view models: what the templates may know. Pure: no I/O, no clock, no HTML.

A view model is frozen and says what a page shows, in words; the pages only lay it out. The one invariant: a view
never changes or completes a score: what was not read stays None.
"""
