"""Citation forms of each jurisdiction as data (``*.toml``); see ``forms/README.md`` for the fields."""
