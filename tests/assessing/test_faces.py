"""Every face of lexls says the same of a citation: its authority, its verdict, the elements compared."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from sample_copy import copy_sample

from lexls.agents.answer import tell
from lexls.agents.desk import Desk
from lexls.agents.tools import check_draft, verify_citation
from lexls.assessing.assess import Assessment, assess
from lexls.assessing.rules.engine import CheckedDraft, FoundBefore, check_all
from lexls.assessing.verdicts import VERDICTS, decide, describe, explain, name_state
from lexls.citations.grammar import Grammar
from lexls.citations.report_places import PlaceReader
from lexls.cli.finding_formats import Checked, write_sarif
from lexls.export.cited_authorities import list_cited
from lexls.export.report import CitedAuthority, make_report
from lexls.export.report_data import ReportedDraft, describe_reports
from lexls.features.hover import hover
from lexls.features.inlays import explain_hint, find_hints
from lexls.features.semantic_tokens import find_tokens
from lexls.index.case_catalogue_update import add_list
from lexls.index.library import Library
from lexls.index.records import Authority
from lexls.index.session import open_library
from lexls.library.case_lists import find_list
from lexls.reading.draft_parser import DraftParser
from lexls.reading.draft_places import describe_places
from lexls.reading.snapshot import Snapshot
from lexls.settings.load import load
from lexls.text.cancel import CancelToken
from lexls.text.formats import FORMATS, format_of
from lexls.text.formats.markdown import as_markdown
from lexls.text.spans import Span

MATTER = Path(__file__).parents[2] / ".." / "shared" / "matters" / "streamlocker"
TOKEN = CancelToken()
PATIENCE = 120.0
MADE = 60
"""Drafts that are made; each has another seed."""
OF_FACTS = frozenset(
    {
        "name-mismatch",
        "name-spelling",
        "decision-mismatch",
        "citation-number",
        "parallel-mismatch",
        "pinpoint-not-found",
        "pinpoint-elsewhere",
        "note-number",
        "impossible-citation",
        "not-in-library",
        "catalogue-mismatch",
    }
)
"""The diagnostics that report how an element differs, or that there is no authority."""


def open_desk(workspace: Path, index: Path) -> Desk:
    """A workspace as `lexls mcp` has it, for filing, its library read.

    An index that is there may be a copy, whose files the indexer finds elsewhere: it must have looked.
    """
    looked = 0
    if index.exists():
        with closing(Library(index)) as library:
            looked = library.status.reconciled()
    listed = {"catalogue": str(write_catalogue(index.with_name("catalogue.sqlite3"), workspace))}
    editor = {"check": {"profile": "filing"}, "embeddings": {"model": ""}, "library": listed}
    desk = Desk(workspace, editor, index)
    desk.start()
    until = time.monotonic() + PATIENCE
    while desk.snapshot(TOKEN).library.status.reconciled() <= looked:
        assert time.monotonic() < until, "the library was not read"
        time.sleep(0.05)
    desk.snapshot(TOKEN).library.refresh()
    return desk


def write_catalogue(path: Path, workspace: Path) -> Path:
    """List one of the invented cases as drafts cite it, and another case where they cite the other."""
    rows = "name,citation,date\nTarn v Mossop,[2011] ASC 91,2011\nAyre v Holt,(1979) 1 AldLR 655,1979\n"
    listed = path.with_suffix(".csv")
    listed.write_text(rows, encoding="utf-8")
    settings = load(workspace / "draft.md", user_file=workspace / "none.toml")[0]
    places = PlaceReader(Grammar.load(settings.citations_forms), settings.jurisdiction)
    add_list(path, find_list(listed), places, lambda count: None)
    return path


@pytest.fixture(scope="module")
def desk(sample_index: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    folder = tmp_path_factory.mktemp("faces")
    index = folder / "index.sqlite3"
    shutil.copy(sample_index, index)
    opened = open_desk(copy_sample(folder / "sample"), index)
    yield opened
    opened.close()


# -- what the faces say --------------------------------------------------------------------------------------


def find_disagreements(desk: Desk, source: str, language: str) -> list[str]:
    """What any face says of a draft's citations that is not what was assessed."""
    draft = desk.read_text(source, language)
    snapshot = desk.snapshot(TOKEN, draft)
    checked = check_all(snapshot, TOKEN)
    report = make_report(snapshot, checked.findings, TOKEN, ignored=checked.ignored)
    found = []
    if checked.verdicts != report.verdicts:
        found.append(f"the check counts {checked.verdicts}, the report {report.verdicts}")
    for compare in (
        _compare_report,
        _compare_json,
        _compare_panel,
        _compare_hovers,
        _compare_findings,
        _compare_hints,
        _compare_tokens,
    ):
        found += (f"{compare.__name__}: {each}" for each in compare(snapshot, checked, report.cited))
    found += (f"check_draft: {each}" for each in _compare_agents(desk, source, language, report.cited))
    return found


def _assess(snapshot: Snapshot, cited: CitedAuthority) -> Assessment:
    draft = snapshot.draft
    own = (each for each in draft.citations_in(cited.span) if draft.mention_of(each) == cited.span)
    return assess(snapshot, next(own), TOKEN)


def _id(authority: Authority | None) -> int | None:
    return authority.id if authority is not None else None


def _differ(span: Span, what: str, said: object, assessed: object) -> Iterator[str]:
    if said != assessed:
        yield f"{span}: {what} {said!r}, assessed {assessed!r}"


def _compare_report(
    snapshot: Snapshot, checked: CheckedDraft, cited: Sequence[CitedAuthority]
) -> Iterator[str]:
    for each in cited:
        assessed = _assess(snapshot, each)
        yield from _differ(each.span, "authority", _id(each.authority), _id(assessed.authority))
        yield from _differ(each.span, "verdict", each.verdict, decide(assessed))
        yield from _differ(each.span, "reason", each.reason, explain(assessed))
        yield from _differ(each.span, "elements", each.assessment.facts, assessed.facts)


def _compare_json(
    snapshot: Snapshot, checked: CheckedDraft, cited: Sequence[CitedAuthority]
) -> Iterator[str]:
    path = Path("draft.md")
    report = make_report(snapshot, checked.findings, TOKEN)
    reported = ReportedDraft(path, describe_places(snapshot.draft, path), report)
    data = describe_reports([reported])
    (run,) = write_sarif(Checked((), ()), Path.cwd(), [reported])["runs"]
    counted = {verdict: checked.verdicts.get(verdict, 0) for verdict in VERDICTS}
    for summary in (data["summary"], run["properties"]["summary"]):
        yield from _differ(Span(0, 0), "summary", summary["citations"], counted)
    for each, said in zip(cited, run["properties"]["citations"], strict=True):
        yield from _differ(each.span, "SARIF", said["verdict"], decide(_assess(snapshot, each)))
    for each, said in zip(cited, data["citations"], strict=True):
        assessed = _assess(snapshot, each)
        path = assessed.authority and assessed.authority.relative
        elements = [(fact.element, fact.status, fact.stated) for fact in assessed.facts]
        told = [(one["element"], one["status"], one["draft"]) for one in said["elements"]]
        yield from _differ(each.span, "authority", said["authority"] and said["authority"]["path"], path)
        yield from _differ(each.span, "verdict", said["verdict"], decide(assessed))
        yield from _differ(each.span, "reason", said["reason"] or "", explain(assessed))
        yield from _differ(each.span, "elements", told, elements)


def _compare_panel(
    snapshot: Snapshot, checked: CheckedDraft, cited: Sequence[CitedAuthority]
) -> Iterator[str]:
    entries = list_cited(snapshot, checked.findings, TOKEN)
    places = {place.span: (entry, place) for entry in entries for place in entry.places}
    for each in cited:
        assessed = _assess(snapshot, each)
        entry, place = places.pop(each.span)
        yield from _differ(each.span, "authority", _id(entry.authority), _id(assessed.authority))
        yield from _differ(each.span, "verdict", place.verdict, decide(assessed))
        yield from _differ(each.span, "state", place.state, name_state(assessed))
        yield from _differ(each.span, "reason", place.reason, describe(assessed))
    yield from (f"{span}: shown in the panel alone" for span in places)


def _compare_hovers(
    snapshot: Snapshot, checked: CheckedDraft, cited: Sequence[CitedAuthority]
) -> Iterator[str]:
    for citation in snapshot.draft.citations:
        if citation.papers:
            continue
        assessed = assess(snapshot, citation, TOKEN)
        shown = hover(snapshot, citation.core.start, TOKEN)
        told = shown.markdown if shown is not None else ""
        if as_markdown(describe(assessed)) not in told:
            yield f"{citation.core}: {told[-200:]!r} without {describe(assessed)!r}"
        authority = assessed.authority
        if authority is not None and as_markdown(authority.name) not in told:
            yield f"{citation.core}: {told[-200:]!r} without {authority.name!r}"
        for near in assessed.offer.near if assessed.offer.question else ():
            if near.named and as_markdown(near.citation) not in told:
                yield f"{citation.core}: {told[-200:]!r} without {near.citation!r}"


def _compare_findings(
    snapshot: Snapshot, checked: CheckedDraft, cited: Sequence[CitedAuthority]
) -> Iterator[str]:
    found = [*checked.findings, *(each.finding for each in checked.ignored)]
    for each in cited:
        assessed = _assess(snapshot, each)
        over = {one.code for one in found if one.span.overlaps(each.span)}
        verdict = decide(assessed)
        if any(fact.status == "differs" for fact in assessed.facts) and not over & OF_FACTS:
            yield f"{each.span}: wrong, and no finding says so: {explain(assessed)}"
        if verdict == "verified" and over & OF_FACTS:
            yield f"{each.span}: verified, and found: {sorted(over & OF_FACTS)}"


def _compare_hints(
    snapshot: Snapshot, checked: CheckedDraft, cited: Sequence[CitedAuthority]
) -> Iterator[str]:
    draft = snapshot.draft
    for hint in find_hints(snapshot, Span(0, len(draft.source)), TOKEN):
        citation = next(each for each in draft.citations if each.core == hint.core)
        assessed = assess(snapshot, citation, TOKEN)
        doubtful = decide(assessed) in ("wrong", "identified")
        yield from _differ(hint.core, "hint in doubt", hint.label.startswith("≈"), doubtful)
        told, opened = explain_hint(snapshot, hint.core.start, TOKEN) or ("", None)
        if as_markdown(describe(assessed)) not in told:
            yield f"{hint.core}: {told!r} without {describe(assessed)!r}"
        if assessed.authority is not None and as_markdown(assessed.authority.name) not in told:
            yield f"{hint.core}: {told!r} without {assessed.authority.name!r}"
        yield from _differ(hint.core, "opens", opened is not None, assessed.authority is not None)


def _compare_tokens(
    snapshot: Snapshot, checked: CheckedDraft, cited: Sequence[CitedAuthority]
) -> Iterator[str]:
    tokens = find_tokens(snapshot, Span(0, len(snapshot.draft.source)), TOKEN)
    for citation in snapshot.draft.citations:
        if citation.papers:
            continue
        missing = assess(snapshot, citation, TOKEN).absence == "missing"
        for each in tokens:
            if each.span.overlaps(citation.core) and not each.defines:
                yield from _differ(each.span, "missing", each.missing, missing)


def _compare_agents(desk: Desk, source: str, language: str, cited: Sequence[CitedAuthority]) -> Iterator[str]:
    asked = check_draft.CheckDraft(text=source, language=language, everything=True)
    answer = check_draft.answer(desk, asked, TOKEN)
    for each, said in zip(cited, answer.citations, strict=True):
        yield from _differ(each.span, "place", Span(said.at.start, said.at.end), each.span)
        yield from _differ(each.span, "authority", said.authority, _id(each.assessment.authority))
        yield from _differ(each.span, "verdict", said.verdict, decide(each.assessment))
        yield from _differ(each.span, "reason", said.reason, tell(explain(each.assessment)))


# -- drafts that are made ------------------------------------------------------------------------------------

INVENTED = (
    "*Tarn v Mossop* [2011] ASC 91",
    "*Dunlin Cooperage Ltd v Vane* (1979) 1 AldLR 655",
    "*Odell v Harbour Trustees* [1871] ASC 4",
    "Lighthouse Keepers Act 1931, s 4",
)
"""What the sample library does not have; one is of a year in which its court gave no such numbers."""


class DraftWriter:
    """Writes drafts that cite the authorities of a library, now and then wrongly. The same seed, the same
    draft."""

    def __init__(self, snapshot: Snapshot, seed: int) -> None:
        self._random = Random(seed)
        library = snapshot.library
        every = sorted(library.catalogue.all(), key=lambda each: each.relative)
        self._cases = [each for each in every if each.kind == "case"]
        self._acts = [each for each in every if each.kind == "statute"]
        self._contents = library.contents
        self._notes: list[str] = []
        self._cited: list[tuple[Authority, int]] = []
        """What was cited in full, with its note, 0 in the text."""

    def write(self) -> str:
        """A draft in Markdown with footnotes."""
        paragraphs = [self._paragraph() for _ in range(self._random.randint(4, 7))]
        notes = [f"[^{number}]: {words}" for number, words in enumerate(self._notes, 1)]
        return "\n\n".join([*paragraphs, *notes]) + "\n"

    def _paragraph(self) -> str:
        sentences = [self._sentence() for _ in range(self._random.randint(1, 3))]
        return " ".join(sentences)

    def _sentence(self) -> str:
        words = self._random.choice(
            (
                "The carrier must show that the departure was reasonable",
                "So it was held of a pilot who did not look",
                "The Commissioners answered for the chain in the fairway",
            )
        )
        if self._random.random() < 0.45:
            before = len(self._notes)
            self._notes.append("")  # its number is known to what it cites
            self._notes[before] = f"{self._altered(self._cite(before + 1))}."
            if self._random.random() < 0.4:
                self._notes.append(f"{self._altered(self._follow(True))}.")
                return f"{words}.[^{before + 1}] And again.[^{len(self._notes)}]"
            return f"{words}.[^{before + 1}]"
        cited = self._altered(self._cite(0))
        if self._random.random() < 0.4:
            return f"{words}: {cited}. {words}: {self._altered(self._follow(False))}."
        return f"{words}: {cited}."

    def _cite(self, note: int) -> str:
        """A quotation, a case, an Act, a short form of one before, or something invented."""
        draw = self._random.random()
        if draw < 0.08:
            return self._random.choice(INVENTED)
        if draw < 0.2:
            return self._act()
        if draw < 0.4 and self._cited:
            return self._short(note > 0)
        case = self._random.choice(self._cases)
        self._cited.append((case, note))
        cited = list(case.citations[: self._random.randint(1, 2)])
        if self._random.random() < 0.07:  # a report that the library knows nothing of
            cited = [f"[{case.year}] 2 WLR {self._random.randint(100, 900)}"]
        if self._random.random() < 0.07:  # another's
            cited.append(self._random.choice(self._cases).citation)
        name = "" if self._random.random() < 0.1 else f"*{case.title}* "
        label, place = self._place(case)
        full = f"{name}{', '.join(cited)}{place}"
        quoted = self._quote(case, label) if self._random.random() < 0.3 else ""
        return f"“{quoted}”: {full}" if quoted else full

    def _act(self) -> str:
        act = self._random.choice(self._acts)
        labels = self._contents.list_labels(act.id, "section")
        return f"{act.title}, s {self._random.choice(labels)}" if labels else act.title

    def _place(self, case: Authority) -> tuple[str, str]:
        """A place of a case, its label and as it is written behind a citation; or none."""
        labels = self._contents.list_labels(case.id, "paragraph")
        if not labels or self._random.random() < 0.3:
            return "", ""
        label = self._random.choice(labels)
        return label, f" at [{label}]"

    def _short(self, in_note: bool) -> str:
        """A case cited before, by its first party, in notes also by the number of the note."""
        case, note = self._random.choice(self._cited)
        party = case.title.split(" v ")[0].split(" ")[0]
        place = self._place(case)[1]
        if in_note and note and self._random.random() < 0.7:
            return f"*{party}* (n {note}){place.replace(' at', '')}"
        return f"*{party}*{place}"

    def _follow(self, in_note: bool) -> str:
        """*Ibid* or a bare section behind what was cited last."""
        if self._random.random() < 0.2:
            return f"section {self._random.randint(1, 14)}"
        case = self._cited[-1][0] if self._cited else self._random.choice(self._cases)
        return f"{'I' if in_note else 'i'}bid{self._place(case)[1]}"

    def _quote(self, case: Authority, label: str) -> str:
        """Words of a case, of its place if it has one."""
        text = " ".join(self._contents.text(case.id).split())
        at = text.find(f"[{label}]") if label else -1
        words = text[max(0, at) :].split()[1:]
        first = self._random.randint(0, max(0, min(len(words) - 20, 30)))
        return " ".join(words[first : first + self._random.randint(6, 14)]).strip(" ,.;:“”‘’*#")

    def _altered(self, written: str) -> str:
        """A citation with another digit, letter or year, mostly as it is."""
        draw = self._random.random()
        digits = [place for place, char in enumerate(written) if char.isdigit()]
        letters = [place for place, char in enumerate(written) if char.isalpha() and char.islower()]
        if draw < 0.2 and digits:
            place = self._random.choice(digits)
            return f"{written[:place]}{self._random.choice('123456789')}{written[place + 1 :]}"
        if draw < 0.27 and digits:
            place = self._random.choice(digits)
            return f"{written[:place]}{written[place]}{written[place:]}"
        if draw < 0.37 and letters:
            place = self._random.choice(letters)
            return f"{written[:place]}{self._random.choice('aeiourst')}{written[place + 1 :]}"
        if draw < 0.42 and " v " in written:
            first, behind = written.split(" v ", 1)
            return f"{first} v Holloway{behind[behind.find('*') if '*' in behind else 0 :]}"
        return written


def edit(source: str, random: Random) -> str:
    """A draft with one small change: a digit, a word, a paragraph that goes, comes or moves."""
    draw = random.random()
    digits = [place for place, char in enumerate(source) if char.isdigit()]
    paragraphs = source.rstrip("\n").split("\n\n")
    if draw < 0.4 and digits:
        place = random.choice(digits)
        return f"{source[:place]}{random.choice('123456789')}{source[place + 1 :]}"
    if draw < 0.7:
        words = [place for place, char in enumerate(source) if char == " "]
        place = random.choice(words)
        return f"{source[:place]} not{source[place:]}"
    chosen = random.randrange(len(paragraphs))
    if draw < 0.8 and len(paragraphs) > 1:
        del paragraphs[chosen]
    elif draw < 0.9:
        paragraphs.insert(chosen, "Nothing else was argued.")
    else:
        paragraphs.insert(0, paragraphs.pop(chosen))
    return "\n\n".join(paragraphs) + "\n"


# -- the tests -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["drafts/skeleton-argument.md", "drafts/memorandum.tex", "drafts/advice.typ"]
)
def test_the_faces_agree_on_the_drafts_of_the_sample(desk: Desk, name: str) -> None:
    source = (desk.workspace / name).read_text(encoding="utf-8")
    assert find_disagreements(desk, source, format_of("", name).name) == []


@pytest.mark.parametrize("name", ["opinion.md", "note.tex"])
def test_the_faces_agree_on_the_slips(desk: Desk, name: str) -> None:
    source = (desk.workspace / "slips" / name).read_text(encoding="utf-8")
    assert find_disagreements(desk, source, format_of("", name).name) == []


def test_the_faces_agree_on_drafts_that_are_made(desk: Desk) -> None:
    verdicts: Counter[str] = Counter()
    found = {}
    for seed in range(MADE):
        source = DraftWriter(desk.snapshot(TOKEN), seed).write()
        found[seed] = find_disagreements(desk, source, "markdown")
        verdicts.update(check_all(desk.snapshot(TOKEN, desk.read_text(source, "markdown")), TOKEN).verdicts)
    assert {seed: each for seed, each in found.items() if each} == {}
    assert min(verdicts[each] for each in VERDICTS) >= 5, verdicts


def test_the_count_stays_that_of_a_fresh_check_through_edits(desk: Desk) -> None:
    snapshot = desk.snapshot(TOKEN)
    grammar = snapshot.searcher.grammar
    assert grammar is not None

    def open_parser() -> DraftParser:
        return DraftParser(grammar, snapshot.settings.jurisdiction)

    def read(parser: DraftParser, source: str) -> Snapshot:
        return replace(snapshot, draft=parser.parse("untitled:edited.md", source, FORMATS["markdown"]))

    for seed in range(0, MADE, 4):
        random, before, parser = Random(seed), FoundBefore(), open_parser()
        source = DraftWriter(snapshot, seed).write()
        for step in range(6):
            told = check_all(read(parser, source), TOKEN, before)
            fresh = read(open_parser(), source)
            expected = check_all(fresh, TOKEN)
            assert told.verdicts == expected.verdicts, (seed, step, source)
            assert told.verdicts == make_report(fresh, expected.findings, TOKEN).verdicts
            assert [each.message for each in told.findings] == [each.message for each in expected.findings]
            source = edit(source, random)


def test_a_citation_that_an_agent_asks_about_has_the_verdict_that_it_has_in_a_draft(desk: Desk) -> None:
    asked = 0
    for seed in range(0, MADE, 3):
        draft = desk.read_text(DraftWriter(desk.snapshot(TOKEN), seed).write(), "markdown")
        for citation in draft.citations:
            if citation.form != "full" or draft.group_of(citation)[0] is not citation:
                continue
            words = " ".join(draft.mention_of(citation).of(draft.masked).split())
            own = desk.read_text(words)
            if [each.key for each in own.citations] != [each.key for each in draft.group_of(citation)]:
                continue
            assessed = assess(desk.snapshot(TOKEN, own), own.citations[0], TOKEN)
            answer = verify_citation.answer(desk, verify_citation.VerifyCitation(citation=words), TOKEN)
            (said,) = answer.citations
            assert said.verdict == decide(assessed), words
            assert said.reason == tell(explain(assessed)), words
            assert said.authority == _id(assessed.authority), words
            elements = [(each.element, each.status, each.draft) for each in said.elements]
            assert elements == [(each.element, each.status, tell(each.stated)) for each in assessed.facts]
            asked += 1
    assert asked > 40


@pytest.mark.slow  # its library takes a minute to read
@pytest.mark.skipif(not MATTER.is_dir(), reason="no ../shared/matters")
def test_the_faces_agree_on_a_brief_with_its_matter(tmp_path: Path) -> None:
    root = tmp_path / "matter"
    subprocess.run([MATTER.resolve() / "lay-out", root], check=True)
    own, _ = load(root / "brief.md", user_file=root / "none.toml")
    library, _ = open_library(own.library_folders, tmp_path / "index.sqlite3", own, lexical_only=True)
    library.close()
    opened = open_desk(root, tmp_path / "index.sqlite3")
    try:
        source = (root / "brief.md").read_text(encoding="utf-8")
        assert find_disagreements(opened, source, "markdown") == []
    finally:
        opened.close()
