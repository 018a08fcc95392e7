"""The tools on the sample library, asked by the official client over standard input and output."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from conversation import ASKED, AUTHORITIES, Connect, ask, refused

QUOTED = "an unjustified deviation is a breach of the contract of carriage and no more"


async def test_each_tool_says_what_it_is_for_and_each_answer_what_was_searched_and_where_it_is_from(
    connect: Connect, sample: Path
) -> None:
    async with connect(sample) as client:
        tools = (await client.list_tools()).tools
        assert {each.name for each in tools} == set(ASKED)
        for each in tools:
            assert each.title
            assert len(each.description or "") > 80
            assert each.annotations is not None
            assert each.annotations.read_only_hint
            assert not each.annotations.open_world_hint
            assert each.input_schema["additionalProperties"] is False
            assert all("description" in field for field in each.input_schema["properties"].values())
            assert {"searched", "outside"} <= set((each.output_schema or {})["properties"])
        assert "never turn" in (client.instructions or "")
        library = str((sample / "library").resolve())
        for tool, arguments in ASKED.items():
            told = await ask(client, tool, **arguments)
            assert told.data["searched"]["folders"] == [library]
            assert told.data["searched"]["authorities"] == AUTHORITIES
            assert told.data["searched"]["complete"] is True
            assert "does not hold" in told.data["outside"][0]
            assert f"in {library}" in told.unmarked
            assert "Outside: authorities that this library does not hold" in told.unmarked
            assert "does not exist" not in told.text
            quoted = list(told.quoted())
            assert bool(quoted) == (tool != "library_status"), tool
            assert len(told.marked) == len(quoted)
            for each, marked in zip(quoted, told.marked, strict=True):
                assert each["quotation"] in marked
                assert f"characters {each['start']} to {each['end']}" in marked
                if each["file"].endswith(".md"):
                    text = (sample / "library" / each["file"]).read_text(encoding="utf-8")
                    there = " ".join(text[each["start"] : each["end"]].replace("*", "").split())
                    words = " ".join(each["quotation"].removesuffix(" …").replace("*", "").split())
                    # A heading between two sentences is not shown.
                    assert words[:40] in there
                    assert words[-20:] in there


async def test_a_draft_is_checked_by_its_path_and_by_its_text(connect: Connect, sample: Path) -> None:
    path = "drafts/skeleton-argument.md"
    text = (sample / path).read_text(encoding="utf-8")
    async with connect(sample) as client:
        by_path = await ask(client, "check_draft", path=path)
        by_text = await ask(client, "check_draft", text=text)
        whole = await ask(client, "check_draft", path=path, everything=True)
    assert by_path.data["draft"] == path
    assert by_path.data | {"draft": ""} == by_text.data | {"draft": ""}
    findings = by_path.data["findings"]
    assert findings
    for each in findings:
        at = each["at"]
        assert text[: at["start"]].count("\n") + 1 == at["line"]
        assert each["code"] in by_path.text
        assert each["message"] in by_path.text
    verdicts = {each["verdict"] for each in by_path.data["citations"]}
    assert "not-in-library" in verdicts
    assert "verified" not in verdicts
    assert "verified" in {each["verdict"] for each in whole.data["citations"]}
    assert "Ostrander v Gull Rock Packet Co" in by_path.text
    assert "is not in your library" in by_path.text


async def test_a_fix_is_given_as_words_to_put_in_place(connect: Connect, sample: Path) -> None:
    draft = f"Deviation is “{QUOTED.replace('breach', 'repudiation')}”: [2014] ASC 12 at [23]."
    async with connect(sample) as client:
        (finding,) = (await ask(client, "check_draft", text=draft)).data["findings"]
        assert (finding["code"], finding["replacement"]) == ("misquotation", "breach")
        at = finding["at"]
        mended = draft[: at["start"]] + finding["replacement"] + draft[at["end"] :]
        assert (await ask(client, "check_draft", text=mended)).data["findings"] == []


async def test_a_quotation_is_compared_word_for_word(connect: Connect, sample: Path) -> None:
    async with connect(sample) as client:
        right = await ask(
            client, "verify_quotation", quotation=f"“{QUOTED}”", citation="[2014] ASC 12 at [23]"
        )
        assert right.data["verdict"] == "verified"
        assert right.data["sources"][0]["words"]["paragraph"] == "23"
        named = await ask(client, "verify_quotation", quotation=QUOTED, citation="Carrow Meridian")
        assert named.data["sources"] == right.data["sources"]
        wrong = await ask(
            client,
            "verify_quotation",
            quotation=QUOTED.replace("no more", "much more"),
            citation="[2014] ASC 12",
        )
        assert wrong.data["verdict"] == "differs"
        (difference,) = wrong.data["sources"][0]["differences"]
        assert (difference["quotation"], difference["authority"]) == ("much", "no")
        elsewhere = await ask(client, "verify_quotation", quotation=QUOTED, citation="[2014] ASC 12 at [14]")
        assert elsewhere.data["verdict"] == "differs"
        assert "[23]" in elsewhere.text
        found = await ask(client, "verify_quotation", quotation=QUOTED)
        assert found.data["verdict"] == "verified"
        assert found.data["sources"][0]["words"]["cited"].startswith("Carrow Shipping")
        nowhere = await ask(
            client, "verify_quotation", quotation="the quick brown fox jumps over the lazy dog"
        )
        assert (nowhere.data["verdict"], nowhere.data["sources"]) == ("not-compared", [])
        absent = await ask(
            client, "verify_quotation", quotation=QUOTED, citation="Ostrander v Gull [2013] ACA 77"
        )
        assert absent.data["verdict"] == "not-compared"
        assert "is not in your library" in absent.text


async def test_a_citation_is_verified_part_by_part(connect: Connect, sample: Path) -> None:
    cited = "Carrow Shipping Ltd v Meridian Grain Traders Ltd [2014] ASC 12"
    async with connect(sample) as client:
        (right,) = (await ask(client, "verify_citation", citation=f"{cited} at [23]")).data["citations"]
        assert right["verdict"] == "verified"
        assert right["pinpoint"][0]["paragraph"] == "23"
        assert right["support"] is None
        judged = await ask(client, "verify_citation", citation=f"{cited} at [23]", proposition=QUOTED)
        assert judged.data["citations"][0]["support"]["verdict"] == "supported"
        (wrong,) = (await ask(client, "verify_citation", citation=f"{cited} at [923]")).data["citations"]
        assert wrong["verdict"] == "wrong"
        absent = await ask(client, "verify_citation", citation="Nobody v Someone [2013] ACA 77")
        assert absent.data["citations"][0]["verdict"] == "not-in-library"
        assert absent.data["citations"][0]["authority"] is None
        nothing = await ask(client, "verify_citation", citation="words that cite nothing at all")
        assert nothing.data["citations"] == nothing.data["named"] == []
        (short,) = (await ask(client, "verify_citation", citation="Carrow at [14]")).data["citations"]
        assert (short["verdict"], short["pinpoint"][0]["paragraph"]) == ("verified", "14")
        name = await ask(client, "verify_citation", citation="Pell Line")
        assert name.data["citations"] == []
        assert len(name.data["named"]) > 1
        assert "no citation that could be verified" in name.text
        act = await ask(
            client, "verify_citation", citation="Carriage of Goods Act 1994, s 12(3)", proposition=QUOTED
        )
        assert act.data["citations"][0]["support"]["verdict"] == "not-judged"
        assert act.data["citations"][0]["pinpoint"][0]["cited"].endswith("s 12(3)")


async def test_what_only_comes_nearest_is_said_to_be_far(connect: Connect, sample: Path) -> None:
    async with connect(sample) as client:
        near = await ask(client, "find_support", **ASKED["find_support"])
        far = await ask(
            client, "find_support", proposition="The baker must feed the sourdough with rye flour."
        )
        assert near.data["distance"] == ""
        assert "sourdough" in far.data["distance"]
        assert "Cite none of these" in far.text
        assert far.data["found"]


async def test_what_is_found_can_be_read_and_narrowed(connect: Connect, sample: Path) -> None:
    async with connect(sample) as client:
        found = await ask(client, "find_support", **ASKED["find_support"], kinds=["statute"], most=3)
        assert found.data["found"]
        assert all(each["words"]["file"].startswith("statutes/") for each in found.data["found"])
        first = found.data["found"][0]["words"]
        read = await ask(
            client, "read_passage", authority=str(first["authority"]), start=first["start"], end=first["end"]
        )
        assert " ".join(first["quotation"].split())[:40] in " ".join(read.data["words"]["quotation"].split())
        within = await ask(client, "search", query="crew", authority="[2014] ASC 12", most=4)
        assert {each["words"]["authority"] for each in within.data["hits"]} == {
            (await ask(client, "read_passage", authority="[2014] ASC 12")).data["words"]["authority"]
        }
        for place in ("[23]", "23", "para 23", "at [23]"):
            there = await ask(client, "read_passage", authority="[2014] ASC 12", place=place)
            assert there.data["words"]["cited"].endswith("at [23]")
        section = await ask(client, "read_passage", authority="Carriage of Goods Act 1994", place="s 12(2)")
        assert section.data["words"]["cited"].endswith("s 12(2)")
        line = await ask(client, "search", query="deviation", authority="Pell Line", most=20)
        assert all("pell-line" in each["words"]["file"] for each in line.data["hits"])
        late = await ask(client, "search", query="deviation", date_from="2014", date_to="2015")
        assert {each["words"]["file"][6:10] for each in late.data["hits"]} <= {"2014", "2015"}


async def test_a_long_authority_is_read_in_pieces_that_join(connect: Connect, sample: Path) -> None:
    async with connect(sample) as client:
        pieces, start = [], 0
        while True:
            read = await ask(client, "read_passage", authority="[2014] ASC 12", start=start)
            pieces.append((read.data["words"]["start"], read.data["words"]["end"]))
            start = read.data["goes_on"]
            if not start:
                break
        assert len(pieces) > 1
        assert all(end == following for (_, end), (following, _) in pairwise(pieces))
        assert pieces[-1][1] == read.data["length"]


async def test_what_cannot_be_answered_says_why(connect: Connect, sample: Path) -> None:
    async with connect(sample) as client:
        assert "may exist all the same" in await refused(client, "read_passage", authority="Nobody v Someone")
        assert "paragraphs 1 to" in await refused(
            client, "read_passage", authority="[2014] ASC 12", place="[923]"
        )
        assert "give the number of one" in await refused(client, "read_passage", authority="Pell Line")
        assert "either as `text` or as a `path`" in await refused(client, "check_draft")
        assert "query" in await refused(client, "search")
        assert "most" in await refused(client, "search", query="crew", most=1000)
        assert "kinds" in await refused(client, "search", query="crew", kinds=["poem"])


async def test_what_stands_against_a_sentence_begins_with_how_its_authority_was_treated(
    connect: Connect, sample: Path
) -> None:
    async with connect(sample) as client:
        told = await ask(client, "contrary_authority", **ASKED["contrary_authority"])
        treated = await ask(
            client, "verify_citation", citation="Orrin Grain Co v Pell Line Ltd (1968) 1 AldLR 301"
        )
    assert any("overruled" in each for each in treated.data["citations"][0]["treatment"])
    assert told.data["found"][0]["words"]["cited"].startswith("Carrow")
