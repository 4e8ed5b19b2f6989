"""Pages and API. Composition of the server happens in app.py, once."""
