"""The dry run: the prompt is shown, and nothing is answered."""

from __future__ import annotations

from pathlib import Path

import pytest
from prompt_samples import BRIDGE, request

from lexls.grounding.answer import Claim, GenerationFailed, Request, Shown, Verdict
from lexls.grounding.answering import Gathered, write_answer
from lexls.grounding.generators.choice import DryRunGenerator
from lexls.grounding.prompts.templates import fill, load_template
from lexls.text.cancel import Cancelled, CancelToken

SECRET = b"of these tests"


class Refusing:
    """A verifier that there is no work for."""

    def verify(self, claim: Claim, request: Request, token: CancelToken) -> Verdict:
        raise AssertionError("nothing was written")


def test_both_messages_are_shown_as_they_would_be_sent() -> None:
    [part] = DryRunGenerator(None, SECRET).generate(request(BRIDGE), CancelToken())
    prompt = fill(request(BRIDGE), load_template("ask"), SECRET)
    assert part == Shown(f"System:\n\n{prompt.system}\n\nUser:\n\n{prompt.user}\n")


def test_answer_of_a_dry_run_holds_the_prompt_and_no_sentence() -> None:
    *_, last = write_answer(
        Gathered(request(BRIDGE)), DryRunGenerator(None, SECRET), Refusing(), CancelToken()
    )
    assert last.complete
    assert last.abstained
    assert BRIDGE in last.shown
    assert (last.notes, last.generator) == ((), "dry-run")


def test_template_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    (tmp_path / "ask.md").write_text("Say something.", encoding="utf-8")
    with pytest.raises(GenerationFailed, match=r"ask\.md"):
        list(DryRunGenerator(tmp_path, SECRET).generate(request(BRIDGE), CancelToken()))


def test_cancelled_dry_run_shows_nothing() -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        list(DryRunGenerator(None, SECRET).generate(request(BRIDGE), token))
