"""The sample's folder and the settings that hold for a draft in it."""

from __future__ import annotations

from pathlib import Path

from lexls.settings.declaration import Settings
from lexls.settings.load import load

SAMPLE = Path(__file__).parents[2] / "examples"


def settings_of(draft: str) -> Settings:
    """The settings of a draft, named from the sample's folder; the user's own count for nothing."""
    settings, problems = load(SAMPLE / draft, user_file=SAMPLE / "none.toml")
    assert problems == []
    return settings
