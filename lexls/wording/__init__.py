"""How authorities, places in them and their treatment are written for readers."""
