"""Where things lie that are made for measuring."""

from __future__ import annotations

from pathlib import Path


def cache_folder() -> Path:
    """The user's cache folder of lexls; what lies there can be made again."""
    from platformdirs import user_cache_path

    return user_cache_path("lexls", appauthor=False)
