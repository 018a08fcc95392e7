"""Find citations as each jurisdiction writes them, resolve short forms, and write citations."""
