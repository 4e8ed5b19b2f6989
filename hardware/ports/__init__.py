"""Ways to hear a machine. `open_port` is the only scheme table."""
