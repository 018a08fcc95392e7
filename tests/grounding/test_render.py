from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from lexls.grounding.answer import Answer, Nearest, Sentence
from lexls.grounding.evidence import Pin
from lexls.grounding.render import write_markdown, write_sentences, write_text
from lexls.index.records import Authority

CARROW = Authority(
    id=1,
    path=Path("carrow.txt"),
    library=Path(),
    relative="carrow.txt",
    title="Carrow v Luff",
    short_title="",
    citations=("[2014] ASC 12",),
    court="",
    date="2014-03-09",
    kind="case",
    jurisdiction="Aldmoor",
    is_text=True,
)
ACT = replace(CARROW, id=2, title="Carriage of Goods Act 1994", citations=(), kind="statute")
DEVIATION = "[3] A carrier who leaves the agreed route answers for every loss."


def pin(text: str = DEVIATION, authority: Authority = CARROW, label: str = "3", *, at: bool = False) -> Pin:
    return Pin("P1", authority, 10, 10 + len(text), text, label, 0, at)


def extract(*pins: Pin) -> Sentence:
    return Sentence(pins[0].text, pins, True, 1.0)


def written(text: str, *pins: Pin) -> Sentence:
    return Sentence(text, pins, False, 0.9)


def answer(*sentences: Sentence, **more: object) -> Answer:
    known = {"task": "ask", "question": "Who answers for the loss?", "generator": "llama (small)"}
    return Answer(sentences=sentences, complete=True, **{**known, **more})  # type: ignore[arg-type]


def link(pin: Pin) -> str:
    return f"open:/carrow.txt#{pin.start}-{pin.end}"


def kinds_and_links(markdown: str) -> tuple[set[str], list[str]]:
    """The kinds of everything that Markdown makes of a text, and where its links lead."""
    kinds: set[str] = set()
    links = []
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    for token in parser.parse(markdown):
        kinds.add(token.type)
        for child in token.children or []:
            kinds.add(child.type)
            if child.type == "link_open":
                links.append(str(child.attrs["href"]))
    return kinds, links


HARMLESS = {
    "paragraph_open", "paragraph_close", "inline", "text", "text_special", "softbreak",
    "blockquote_open", "blockquote_close", "link_open", "link_close", "em_open", "em_close",
    "strong_open", "strong_close", "bullet_list_open", "bullet_list_close",
    "list_item_open", "list_item_close",
}  # fmt: skip


def test_a_sentence_is_followed_by_its_quotation_and_a_link_to_its_place() -> None:
    shown = write_markdown(answer(written("Leaving the route makes the carrier liable.", pin())), link)
    assert shown.startswith("✎ Leaving the route makes the carrier liable.\n\n> “A carrier who leaves")
    assert "> — [Carrow v Luff \\[2014\\] ASC 12 at \\[3\\]](<open:/carrow.txt#10-75>)" in shown
    assert "_✎ Written by llama (small) and checked against what it quotes._" in shown


def test_an_extract_is_its_words_alone() -> None:
    shown = write_markdown(answer(extract(pin()), generator="extractive"))
    assert shown.count("A carrier who leaves the agreed route") == 1
    assert "— Carrow v Luff [2014] ASC 12 at [3]" in shown
    assert "word for word" in shown


def test_every_quotation_of_a_sentence_has_its_own_place() -> None:
    shown = write_markdown(
        answer(written("So it is.", pin(), pin("A carrier must issue a bill.", ACT, "11(1)")))
    )
    assert shown.index("at [3]") < shown.index("“A carrier must issue a bill.”") < shown.index("s 11(1)")


def test_a_subsection_is_named_by_its_number_and_quoted_without_it() -> None:
    shown = write_markdown(answer(extract(pin("(2) A carrier must issue a bill.", ACT, "11"))))
    assert "> “A carrier must issue a bill.”\n>\n> — Carriage of Goods Act 1994, s 11(2)" in shown
    assert "1994, s 11\n" in write_markdown(answer(extract(pin("(a) a bill of lading;", ACT, "11"))))


def test_half_of_an_emphasis_is_not_quoted() -> None:
    marked = replace(CARROW, path=Path("carrow.md"))
    shown = write_markdown(answer(extract(pin("Pell v Stark* [2009] ACA 31 is *not* good law.", marked))))
    assert "> “Pell v Stark [2009] ACA 31 is not good law.”" in shown
    assert "2 \\* 3" in write_markdown(answer(extract(pin("It is 2 * 3 in all."))))


def test_what_is_a_quotation_already_gets_no_second_marks() -> None:
    assert "> “Held.”\n" in write_markdown(answer(extract(pin("“Held.”"))))
    assert "> “‘Held’ and ‘done’.”\n" in write_markdown(answer(extract(pin("“Held” and “done”."))))


def test_lines_of_an_explanation_say_only_the_place() -> None:
    lines = list(write_text(answer(extract(pin(at=True)), task="explain")))
    assert lines[:2] == [
        "“A carrier who leaves the agreed route answers for every loss.”",
        "    [3] (the place cited)",
    ]


def test_an_explanation_names_its_authority_once() -> None:
    shown = write_markdown(
        answer(extract(pin(at=True)), extract(pin("[4] Necessity.", label="4")), task="explain"),
        warnings={1: "overruled in Pell v Stark [2019] ASC 1"},
    )
    assert shown.startswith("**Carrow v Luff [2014] ASC 12** · ⚠ **overruled in Pell v Stark [2019] ASC 1**")
    assert shown.count("Carrow v Luff") == 1
    assert "— [3] · the place cited" in shown
    assert "— [4]\n" in shown
    assert "On: “Who answers for the loss?”" in shown


def test_an_authority_that_is_no_longer_law_is_marked_wherever_it_is_quoted() -> None:
    sentences = (written("One.", pin()), written("Two.", pin("A bill.", ACT, "1")))
    warnings = {1: "overruled in Pell v Stark"}
    assert write_markdown(answer(*sentences), warnings=warnings).count("⚠ **overruled in Pell v Stark**") == 1
    assert list(write_text(answer(*sentences), warnings))[1].endswith("(warning: overruled in Pell v Stark):")


def test_an_answer_that_abstains_says_why_and_names_the_nearest() -> None:
    abstaining = answer(notes=("Nothing fits.",), nearest=(Nearest(CARROW, pin()), Nearest(ACT, None)))
    shown = write_markdown(abstaining, link)
    assert "_Nothing fits._" in shown
    assert "- [Carrow v Luff \\[2014\\] ASC 12 at \\[3\\]](<open:" in shown
    assert "- Carriage of Goods Act 1994" in shown
    assert "ritten by" not in shown
    lines = list(write_text(abstaining))
    assert lines[0] == "Nothing fits."
    assert "  Carrow v Luff [2014] ASC 12 at [3]" in lines


def test_what_is_missing_is_named_until_it_is_too_much() -> None:
    some = answer(extract(pin()), missing=("demurrage", "freight"))
    assert "do not say anything of “demurrage” or “freight”" in write_markdown(some)
    many = answer(extract(pin()), missing=tuple(f"word{number}" for number in range(20)))
    assert "and 12 more" in write_markdown(many)
    assert "word9" not in write_markdown(many)


def test_notes_wait_for_the_end_of_a_growing_answer() -> None:
    growing = replace(answer(extract(pin()), notes=("A note.",)), complete=False)
    assert "A note" not in write_markdown(growing)
    assert "A note" in write_markdown(replace(growing, complete=True))


def test_the_short_form_has_the_first_sentences_only() -> None:
    shown = write_sentences(
        answer(written("One.", pin()), extract(pin()), written("Three.", pin()), task="explain"), 2, 40, link
    )
    assert shown.splitlines()[0] == "One. — [\\[3\\]](<open:/carrow.txt#10-75>)"
    assert "“A carrier who leaves the agreed route …”" in shown
    assert "Three" not in shown


HOSTILE = [
    "![steal](https://example.test/x.png)",
    "[click](https://example.test)",
    "<img src=x onerror=alert(1)> and <https://example.test>",
    "see https://example.test/a or www.example.test or mail someone@example.test",
    "[a]: https://example.test",
    "# Heading\n\n```\ncode\n```\n\n- item\n\n| a | b |\n|---|---|\n| c | d |",
    "</details><script>alert(1)</script> &lt;b&gt; javascript:alert(1)",
    "ends in a backslash \\",
    "_emphasis_ **strong** ~~gone~~ `code`",
]


def everywhere(text: str) -> Answer:
    """An answer that has ``text`` wherever words of a model or an authority can stand."""
    titled = replace(CARROW, title=text, citations=(text,))
    return answer(
        written(text, pin(text, titled, text), pin(text, CARROW)),
        extract(pin(text, titled, "")),
        task="draft",
        question=text,
        notes=(text,),
        missing=(text,),
        nearest=(Nearest(titled, pin(text, titled)),),
        generator=text,
        template=text,
    )


@pytest.mark.parametrize("text", HOSTILE)
def test_no_words_of_a_model_or_an_authority_become_markup(text: str) -> None:
    shown = write_markdown(everywhere(text), warnings={1: text})
    kinds, links = kinds_and_links(shown)
    assert kinds <= HARMLESS - {"link_open", "link_close"}
    assert not links
    for made_a_link_by_editors in ("https://", "www.", "someone@"):
        assert made_a_link_by_editors not in shown
    kinds, links = kinds_and_links(write_markdown(everywhere(text), link))
    assert kinds <= HARMLESS
    assert {each.split("#")[0] for each in links} == {"open:/carrow.txt"}
    kinds, links = kinds_and_links(write_sentences(everywhere(text), 5, 300, link))
    assert kinds <= HARMLESS
    assert {each.split("#")[0] for each in links} == {"open:/carrow.txt"}


@given(st.text(alphabet="[](){}<>!#*_`~|\\:;.@&-+=$^\"' /\t\nabcxXhttps:www.1 ", min_size=1, max_size=40))
def test_links_lead_nowhere_but_where_the_caller_says(text: str) -> None:
    kinds, links = kinds_and_links(write_markdown(everywhere(text), link))
    assert kinds <= HARMLESS
    assert all(each.startswith("open:/carrow.txt#") for each in links)


def test_a_prompt_is_shown_as_code_that_nothing_in_it_closes() -> None:
    shown = write_markdown(answer(shown="Rules\n````\n[x](https://example.test)\n", template="ask 1"))
    kinds, links = kinds_and_links(shown)
    assert "fence" in kinds
    assert not links
    assert "this is the prompt (ask 1)" in shown


def test_nothing_steers_the_terminal_or_turns_the_direction_of_writing() -> None:
    text = "a\x1b[2Jb\x9b31mc\x07d\u202ee\u2066f\rg"
    shown = "\n".join([*write_text(everywhere(text)), write_markdown(everywhere(text), link)])
    assert not set(shown) & set("\x1b\x9b\x07\u202e\u2066\r")
    prompt = "\n".join(write_text(answer(shown=f"  {text}\nnext")))
    assert prompt.startswith("  a [2Jb")
    assert not set(prompt) & set("\x1b\x9b\x07\u202e\u2066\r")


def test_an_address_cannot_leave_its_brackets() -> None:
    shown = write_markdown(answer(extract(pin())), lambda pin: "open:/a> [x](https://example.test)\n")
    _, links = kinds_and_links(shown)
    assert len(links) == 1
    assert links[0].startswith("open:/a")
