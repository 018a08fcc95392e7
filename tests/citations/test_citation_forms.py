from __future__ import annotations

import re
from typing import Any

import pytest

from lexls.citations import templates
from lexls.citations.form import Example, Form, FormError
from lexls.citations.grammar import Grammar
from lexls.citations.model import fold
from lexls.citations.registry import _TokenNames

FORMS = Grammar.load().forms
EXAMPLES = [(form, example) for form in FORMS for example in form.examples]
ALDMOOR: list[dict[str, Any]] = [
    {
        "id": "aldmoor-neutral",
        "jurisdiction": "Aldmoor",
        "pattern": "[{year}] {court} {number}",
        "court": ["ASC", "ACA", "AHC"],
    },
    {
        "id": "aldmoor-reports",
        "jurisdiction": "Aldmoor",
        "pattern": "({year}) {volume} {report} {page}",
        "report": {"AldLR": ["Ald LR", "Aldmoor LR"]},
    },
]


def form(**fields: Any) -> dict[str, Any]:
    return {"id": "x", "pattern": "[{year}] {court} {number}", "court": ["XYZ"], **fields}


@pytest.mark.parametrize(
    ("form", "example"), EXAMPLES, ids=[f"{form.id}: {example.text}" for form, example in EXAMPLES]
)
def test_every_example_of_a_form_is_read_as_it_says(grammar: Grammar, form: Form, example: Example) -> None:
    found = [
        citation for citation in grammar.find(example.text, form.jurisdiction) if citation.form == "full"
    ]
    assert found, "not read at all"
    citation = found[0]
    assert (citation.kind, citation.jurisdiction) == (form.kind, form.jurisdiction)
    if example.key:
        assert citation.key == example.key
    if example.pinpoint:
        assert citation.pinpoint is not None
        assert citation.pinpoint.labels == example.pinpoint


def test_every_form_has_an_example() -> None:
    assert [form.id for form in FORMS if not (form.examples or form.at_home)] == []


def test_form_ids_are_unique() -> None:
    assert len({form.id for form in FORMS}) == len(FORMS)


@pytest.mark.parametrize("spelling", ["as listed", "without points", "spaced", "and for &"])
def test_every_variant_of_a_name_gives_its_canonical_name(spelling: str) -> None:
    change = {
        "as listed": lambda name: name,
        "without points": lambda name: name.replace(".", ""),
        "spaced": lambda name: name.replace(".", ". "),
        "and for &": lambda name: name.replace("&", "and"),
    }[spelling]
    assert FORMS
    for form in FORMS:
        names = _TokenNames(form)
        for token, table in form.names.items():
            for canonical, others in table.items():
                for name in (canonical, *others):
                    assert re.fullmatch(templates.make_flexible(name), change(name).strip()), (form.id, name)
                    assert names.canonical(token, change(name)) in table


@pytest.mark.parametrize("text", sorted({example.key for _, example in EXAMPLES if example.key}))
def test_a_key_is_its_own_key(grammar: Grammar, text: str) -> None:
    assert fold(grammar.key_of(text)) == fold(text)


def test_forms_of_the_user_are_read() -> None:
    grammar = Grammar.load(ALDMOOR)
    text = "Carrow v Dunne [2014] ASC 12 at [23]; Pell v Orrin (1987) 4 Ald. L.R. 212, 219"
    first, second = grammar.find(text, "Aldmoor")
    assert (first.key, first.jurisdiction, first.pinpoint and first.pinpoint.labels) == (
        "[2014] ASC 12",
        "Aldmoor",
        ("23",),
    )
    assert (second.key, second.pinpoint and second.pinpoint.labels) == ("(1987) 4 AldLR 212", ("219",))
    assert grammar.key_of("[2014] ASC 12") == "[2014] ASC 12"


def test_a_form_of_the_user_wins_over_one_of_the_same_words() -> None:
    (citation,) = Grammar.load([form(jurisdiction="Here", court=["UKSC"])]).find("[2014] UKSC 12", "Here")
    assert citation.jurisdiction == "Here"


def test_a_form_with_the_id_of_a_built_in_one_replaces_it() -> None:
    grammar = Grammar.load([form(id="uk-neutral", jurisdiction="UK", court=["XYZ"])])
    assert [citation.kind for citation in grammar.find("[2014] XYZ 3", "UK")] == ["case"]
    assert len([form for form in grammar.forms if form.id == "uk-neutral"]) == 1


def test_keys_of_patterns_may_differ() -> None:
    grammar = Grammar.load(
        [
            form(
                pattern=["[{year}] {court} {number}", "{court} {number}/{year}"],
                key=["[{year}] {court} {number}"] * 2,
            )
        ]
    )
    assert [c.key for c in grammar.find("[2014] XYZ 3 and then XYZ 3/2014.")] == ["[2014] XYZ 3"] * 2


def test_an_optional_part_may_be_absent() -> None:
    grammar = Grammar.load([form(pattern="{court} {number}< of {year}>", key="{court} {number}< ({year})>")])
    assert [c.key for c in grammar.find("XYZ 3 of 2014; then XYZ 4.")] == ["XYZ 3 (2014)", "XYZ 4"]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"pattern": "{year}"}, "a citation form has no `id`"),
        (form(pattern=7), "'x': `pattern` must be a template"),
        (form(pattern=""), "the template is empty"),
        (form(pattern="[{year}] {court} {nonsense}"), "token {nonsense} is unknown"),
        (form(pattern="[{year}] {court} {year}"), "token {year} stands twice"),
        (form(pattern="[{year}] <{court} {number}"), "is not closed"),
        (form(pattern="[{year}] {court} <a<b>>"), "do not nest"),
        (form(pattern="+{court} {number}"), "cannot begin with"),
        (form(kind="poem"), "`kind` is 'poem'"),
        (form(pinpoint="line"), "`pinpoint` is 'line'"),
        (form(elsewhere="yes"), "`elsewhere` must be true or false"),
        (form(jurisdiction=3), "`jurisdiction` must be text"),
        (form(curt=["XYZ"]), "unknown field `curt`"),
        (form(court=[]), "`court` must be a list of names"),
        (form(court=["XYZ", ""]), "`court` holds a name that is empty"),
        (form(court={"XYZ": [3]}), "`court` holds a name that is empty or no text"),
        (form(key=["{year}", "{year}"]), "`key` must be a template"),
        (form(key="{volume} {court}"), "`key` has a token {volume}"),
        (form(examples="x"), "`examples` must be a list"),
        (form(examples=[{"text": "x", "keys": "y"}]), "the example 'x' has a wrong field"),
        (form(examples=[3]), "an example must be text or a table"),
    ],
)
def test_a_wrong_form_is_named_with_its_field(table: dict[str, Any], message: str) -> None:
    with pytest.raises(FormError) as raised:
        Grammar.load([table])
    assert message in str(raised.value)
    assert str(raised.value).startswith("citations.forms: ")


def test_two_forms_of_one_id_are_refused() -> None:
    with pytest.raises(FormError, match="same `id`"):
        Grammar.load([form(), form()])


def test_acts_of_a_file_of_the_user_are_known() -> None:
    acts = {
        "Harbours Act 1988": ["HA"],
        "Harbour Rules 2004": {"names": [], "own": ["Harbour Rules"], "kind": "rule"},
    }
    grammar = Grammar.load([{"acts": acts, "jurisdiction": "Aldmoor", "source": "aldmoor.toml"}])
    found = grammar.find("By s 4 HA and r 3 of the Harbour Rules.", "Aldmoor")
    assert [citation.key for citation in found] == ["Harbours Act 1988", "Harbour Rules 2004"]
    assert grammar.find("By r 3 of the Harbour Rules.", "UK") == ()


@pytest.mark.parametrize(
    "acts",
    ["x", {"A": "B"}, {"A": [""]}, {"A": {"names": ["B"], "kind": "poem"}}, {"A": {"names": [], "own": "x"}}],
)
def test_a_wrong_act_is_named_with_its_file(acts: Any) -> None:
    with pytest.raises(FormError, match=r"^aldmoor\.toml: "):
        Grammar.load([{"acts": acts, "source": "aldmoor.toml"}])


def test_a_wrong_form_of_a_file_names_the_file() -> None:
    with pytest.raises(FormError, match=r"^aldmoor\.toml: citation form 'x': `kind`"):
        Grammar.load([form(kind="poem", source="aldmoor.toml")])


@pytest.mark.parametrize(("jurisdiction", "read"), [("Here", True), ("UK", True), ("", True), ("IN", False)])
def test_a_form_may_be_read_in_some_places_elsewhere(jurisdiction: str, read: bool) -> None:
    grammar = Grammar.load([form(jurisdiction="Here", pattern="{court} {number}", elsewhere=["UK"])])
    assert bool(grammar.find("So XYZ 12 says.", jurisdiction)) is read


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("12 Quay 3 (1950)", True),
        ("12 Quay 3", False),
        ("12 Quay 3 (1999)", False),
        ("12 Quay 3, 4 (Ald. 1951)", True),
    ],
)
def test_a_dated_form_needs_a_year_that_its_report_can_have(text: str, read: bool) -> None:
    table = {"id": "x", "pattern": "{volume} {report} {page}", "report": ["Quay"], "dated": True}
    grammar = Grammar.load([{**table, "years": "Quay = 1940-1960"}])
    assert bool(grammar.find(f"So {text} says.", "Here")) is read


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"years": "XYZ = soon"}, "`years`: 'soon'"),
        ({"years": "ABC = 2009-"}, "`years`: 'ABC' is no name"),
        ({"volumes": "XYZ = 3"}, "`volumes`: '3'"),
        ({"volumes": "XYZ = 3 1990, 2 1991"}, "`volumes` must rise"),
        ({"most": "XYZ = many"}, "`most`: 'many'"),
        ({"dated": "yes"}, "`dated` must be true or false"),
    ],
)
def test_wrong_facts_of_a_form_are_named(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(FormError) as raised:
        Grammar.load([form(**fields)])
    assert message in str(raised.value)
