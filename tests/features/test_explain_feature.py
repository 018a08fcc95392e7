from lexls.features.explain import explain_at, proposition_of


def check(marked, token, *expected: str):  # type: ignore[no-untyped-def]
    """The explanation at the cursor; each expected text begins a statement, in order."""
    found = explain_at(marked.snapshot, marked.start, token)
    assert found is not None
    assert found.explanation is not None, found.reason
    texts = [statement.text for statement in found.explanation.statements]
    assert len(texts) >= len(expected)
    for text, begins in zip(texts, expected, strict=False):
        assert text.startswith(begins)
    return found.explanation


def test_the_words_of_the_pinpoint_come_first(read, token) -> None:
    explanation = check(
        read(
            "A carrier who leaves the route answers for every loss, and necessity is no hindsight: "
            "*Carrow v Luff* [2014] A|SC 12 at [4]."
        ),
        token,
        "[4] Necessity is judged",
        "[3] A carrier who leaves the agreed route",
    )
    assert explanation.statements[0].at_pinpoint
    assert not explanation.statements[1].at_pinpoint


def test_statements_stand_verbatim_in_the_authority(read, token) -> None:
    marked = read("A carrier who leaves the route answers for every loss: *Carrow v Luff* [2014] A|SC 12.")
    explanation = check(marked, token, "[3] A carrier")
    for statement in explanation.statements:
        text = marked.snapshot.library.text(statement.document)
        assert text[statement.start : statement.end] == statement.text


def test_words_that_no_statement_has_are_named(read, token) -> None:
    explanation = check(
        read(
            "A carrier who leaves the route answers for demurrage and for every loss: "
            "*Carrow v Luff* [2014] A|SC 12."
        ),
        token,
        "[3] A carrier",
    )
    assert "demurrage" in explanation.missing
    assert any("“demurrage”" in note for note in explanation.notes)


def test_it_abstains_where_no_passage_bears_on_the_sentence(read, token) -> None:
    found = explain_at(
        *_at(read("Trade marks lapse without genuine use: *Carrow v Luff* [2014] A|SC 12.")), token
    )
    assert found is not None
    assert found.explanation is not None
    assert found.explanation.abstained
    assert found.explanation.notes == ("No passage of Carrow v Luff [2014] ASC 12 bears on this sentence.",)


def _at(marked):  # type: ignore[no-untyped-def]
    return marked.snapshot, marked.start


def test_a_citation_sentence_explains_the_sentence_before_it(read) -> None:
    marked = read("The carrier answers for every loss. See *Carrow v Luff* [2014] A|SC 12.")
    citation = marked.draft.citation_at(marked.start)
    assert proposition_of(marked.snapshot, citation) == "The carrier answers for every loss."


def test_anywhere_in_the_sentence_will_do(read, token) -> None:
    check(
        read("A carrier who leaves the ro|ute answers for every loss: *Carrow v Luff* [2014] ASC 12."),
        token,
        "[3]",
    )


def test_an_authority_outside_the_library_is_said_to_be_that(read, token) -> None:
    found = explain_at(*_at(read("So it is: Nobody v Someone [2013] A|CA 77.")), token)
    assert found is not None
    assert found.explanation is None
    assert found.reason == "[2013] ACA 77 is not in your library"


def test_without_a_citation_there_is_nothing_to_explain(read, token) -> None:
    assert explain_at(*_at(read("Plain wor|ds.")), token) is None
