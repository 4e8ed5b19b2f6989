"""From the wire to the ledger: frames in, acknowledgements out."""
