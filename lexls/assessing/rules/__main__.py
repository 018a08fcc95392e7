"""Write the declared diagnostics to ``settings/diagnostics.json``; run by ``make docs``."""

from __future__ import annotations

from pathlib import Path

from lexls.assessing.rules.engine import list_rules
from lexls.settings import diagnostics

if __name__ == "__main__":
    path = Path(diagnostics.__file__).with_suffix(".json")
    path.write_text(diagnostics.to_json(list_rules()), encoding="utf-8", newline="\n")
