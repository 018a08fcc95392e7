"""The demo: each of its sections shows something, and one that shows nothing makes it fail."""

from __future__ import annotations

import asyncio
import importlib.util
import re
import shutil
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

DEMO = Path(__file__).parents[2] / "examples" / "demo.py"
KEYWORDS = {"embeddings": {"model": ""}}


@pytest.fixture
def demo(sample_index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The demo over an index that needs no network."""
    spec = importlib.util.spec_from_file_location("demo", DEMO)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "INDEX", Path(shutil.copy(sample_index, tmp_path)))
    return module


class Unanswered:
    """A client of the server to which it answers only that it starts and ends."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def __getattr__(self, name: str) -> Any:
        if name.startswith(("text_document", "workspace")) and name.endswith("_async"):
            return self._nothing
        return getattr(self._client, name)

    async def _nothing(self, params: Any) -> None:
        return None


def test_every_section_shows_something(demo: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    page = demo.Page()
    asyncio.run(demo.session(page, KEYWORDS))
    page.end()
    printed = capsys.readouterr().out
    assert "(nothing)" not in printed
    support = printed.split("Find supporting authority\n")[1].split("\n\n")[0]
    assert "• Marlowe Dredging Ltd v Skerrin District Council [2012] ACA 26 at [13]" in support
    assert ": *Marlowe Dredging Ltd v Skerrin District Council* [2012] ACA 26 at [13]" in support
    assert "Evidence Act 1990 Evidence Act 1990" not in support


def test_a_section_that_shows_nothing_is_named_and_fails_the_demo(
    demo: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = demo.LanguageClient
    monkeypatch.setattr(demo, "LanguageClient", lambda *args, **named: Unanswered(made(*args, **named)))
    page = demo.Page()
    asyncio.run(demo.session(page, KEYWORDS))
    started, diagnostics, *asked = re.findall(r"\n(.+)\n─+\n", capsys.readouterr().out)
    assert (started, diagnostics) == ("lexls serve", "Diagnostics")
    assert len(asked) >= 9
    with pytest.raises(SystemExit) as failed:
        page.end()
    assert str(failed.value).endswith(f"nothing to show under {', '.join(asked)}")


def test_a_section_left_without_a_word_fails_the_demo_as_one_that_says_why_does_not(demo: ModuleType) -> None:
    page = demo.Page()
    page.section("Empty")
    page.section("Skipped")
    page.show("Skipped: there is no network.")
    with pytest.raises(SystemExit, match=r"under Empty$"):
        page.end()
