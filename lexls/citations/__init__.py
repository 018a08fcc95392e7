"""How each jurisdiction writes citations: find, resolve short forms, format."""
