"""Report authorities that were overruled or reversed, and provisions of replaced codes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence, Set

from lexls.assessing.check import Problem, Related, WholeCheck, as_named
from lexls.assessing.related_provisions import find_correspondences
from lexls.citations.concordance import Correspondence, Table, describe_correspondence, write_sections
from lexls.citations.model import Citation, fold
from lexls.citations.treatment import TreatmentKind
from lexls.index.library import Library
from lexls.index.records import TreatedIn
from lexls.reading.draft import Draft
from lexls.reading.edit import Edit, Fix
from lexls.reading.snapshot import Snapshot
from lexls.settings.diagnostics import DiagnosticRule
from lexls.text.cancel import CancelToken
from lexls.text.dates import MONTH_NUMBERS, MONTH_START
from lexls.text.phrases import compile_pattern, load_phrases
from lexls.text.spans import Span
from lexls.wording.descriptions import describe_treatment

NEGATIVE_TREATMENT = DiagnosticRule(
    code="negative-treatment",
    severity="warning",
    order=110,
    filing="warning",
    help="An authority cited without the decision that overruled, reversed or disapproved it.",
    documentation="""\
A judgment in the library overrules, reverses, vacates or disapproves the authority or refuses to follow
it, and the draft does not cite that judgment. This is reported once, at the draft's first full citation
of the authority. The related information opens the sentence that says so. lexls knows only the treatment
shown in the texts of your library.

Nothing is reported if a paragraph that cites the authority shows that its author knows ("overruled", "but
see", "no longer good law", "the old rule"). Nor is an authority reported that was overruled on other
grounds or doubted.""",
)

SUPERSEDED_PROVISION = DiagnosticRule(
    code="superseded-provision",
    severity="information",
    order=180,
    help="A provision of a replaced code, with its successor.",
    documentation="""\
On 1 July 2024, the Bharatiya Nyaya Sanhita, the Bharatiya Nagarik Suraksha Sanhita and the Bharatiya
Sakshya Adhiniyam replaced the Indian Penal Code, the Code of Criminal Procedure and the Indian Evidence
Act. The message names the section that took the provision's place, and says if a provision was split,
merged or not enacted again. It also says to what the new code applies. The Penal Code still governs
offences committed before that day, and the other two still govern proceedings that were pending then.

Each provision is reported once, where it is first cited as if it were in force. Nothing is reported if
the draft cites the successor next to it, or in a paragraph that mentions the new code or an earlier day.
Nor is anything reported in a draft about a case from before that day: an FIR, an arrest, a conviction. If
there is exactly one successor, a quick fix adds it. A provision whose successor is not certain is not
reported.""",
)


_PHRASES = load_phrases(__package__, "outdated.toml")
_KNOWING: Sequence[str] = _PHRASES["knowing"]
_NEW_CODES: Sequence[str] = _PHRASES["new_codes"]
_REPORTS: Sequence[str] = _PHRASES["reports"]
_STEPS: Sequence[str] = _PHRASES["steps"]
_YEAR = re.compile(r"(?:19|20)\d\d(?!\d)")
_DAY_BEFORE = re.compile(r"(?<!\d)[0-3]?\d([./-])([01]?\d)\1$")
_MONTH_BEFORE = re.compile(rf"\b({MONTH_START})[a-z]{{0,6}}\.?(?:\s+\d{{1,2}}(?:st|nd|rd|th)?)?\s*,?\s*$")
_PLACES_TRIED = 8
"""Maximum number of places tried per provision. If the author means the old law in all of them, the other
places are assumed to be alike.
"""
_ENACTED = frozenset((1973, 1974))
"""Years in the names and numbers of the old codes (Act 2 of 1974), which are not the date of an offence."""
_REPORT_YEAR = re.compile(r"[^\n]{0,40}?(?:\bof|[/-]|\bdated\b[^\n]{0,12}?)\s*(?=(?:19|20)\d\d(?!\d))")
_DAY = re.compile(
    rf"(?<!\d)(?:\d{{1,2}}(?:[./-]\d{{1,2}}[./-]|(?:st|nd|rd|th)?\s+(?:day of\s+)?(?:{MONTH_START})"
    rf"[a-z]{{0,6}}\.?,?\s+)|(?:{MONTH_START})[a-z]{{0,6}}\.?\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+)"
    r"(?=(?:19|20)\d\d(?!\d))"
)
_NEAR = 80
_FACTS_LENGTH = 100_000
"""Length, in code points, of the beginning of a draft that is searched for the facts of its case."""
_GOES_ON = "/-–&"
"""Characters after a citation that show that further sections follow ("302/34 IPC")."""


def check_provisions(snapshot: Snapshot, token: CancelToken) -> Iterator[Problem]:
    """Report each provision of a replaced code where it is first cited as if it were in force.

    A provision is not reported if the draft cites it next to its successor, or in a paragraph that mentions
    the new code, the replacement, or an earlier date. Nothing is reported if the draft is about a case from
    before the replacement, since the old codes may still apply to it.
    """
    draft = snapshot.draft
    keys = draft.citations.keys()
    tables = _replaced(snapshot, keys)
    if not tables:
        return
    if any(_of_an_earlier_case(draft.masked, table) for table in tables.values()):
        return
    reader = _ProvisionReader(snapshot, keys)
    first: dict[tuple[str, str], tuple[Citation, str, Correspondence]] = {}
    tried: Counter[tuple[str, str]] = Counter()
    settled: set[tuple[str, str]] = set()
    for citation in draft.citations.of(frozenset(tables)):
        table = tables[citation.key]
        if citation.pinpoint is None:
            continue
        token.raise_if_cancelled()
        for label, found in reader.correspondences(citation):
            provision = (citation.key, found.asked)
            if provision in settled or found.relation == "repealed":
                continue
            if reader.beside(citation, found):
                settled.add(provision)
            elif provision not in first and tried[provision] < _PLACES_TRIED:
                tried[provision] += 1
                if not reader.silent(citation, table):
                    first[provision] = citation, label, found
    for provision, (citation, label, found) in first.items():
        if provision not in settled:
            yield _problem(draft, citation, label, found)


def _replaced(snapshot: Snapshot, keys: Set[str]) -> dict[str, Table]:
    """Return the table of correspondences for each replaced code that the draft cites, by the code's key."""
    found = {}
    for key in keys:
        table = snapshot.concordance.table(key)
        if table is not None and snapshot.concordance.is_replaced(key):
            found[key] = table
    return found


def _problem(draft: Draft, citation: Citation, label: str, found: Correspondence) -> Problem:
    said = describe_correspondence(found)
    fixes: tuple[Fix, ...] = ()
    pinpoint = citation.pinpoint
    alone = pinpoint is not None and len(pinpoint.labels) == 1 and pinpoint.labels[0] == label
    end = draft.skip_marks(citation.span.end)
    complete = end == len(draft.source) or draft.source[end] not in _GOES_ON
    if alone and complete and len(found.labels) == 1 and found.asked == found.found:
        now = f", now {write_sections(found.labels)} of the {found.other_name}"
        # Which code applies is for the author to say, so that no editor may do this unasked.
        fixes = (Fix(f'Add "{now[2:]}"', (Edit(Span(end, end), now),), preferred=False),)
    span = citation.span
    if not alone and pinpoint is not None:
        place = draft.source.find(label, pinpoint.span.start, pinpoint.span.end)
        span = Span(place, place + len(label)) if place >= 0 else pinpoint.span
    return Problem(span, SUPERSEDED_PROVISION.code, said[0].upper() + said[1:], fixes=fixes)


class _ProvisionReader:
    """Reads what the paragraphs of one draft state about the replaced codes that they cite; results are
    cached.
    """

    def __init__(self, snapshot: Snapshot, keys: Set[str]) -> None:
        self._draft = snapshot.draft
        self._concordance = snapshot.concordance
        self._keys = keys
        self._known: dict[tuple[str, tuple[str, ...] | None], list[tuple[str, Correspondence]]] = {}
        self._cited: dict[Span, set[tuple[str, str]]] = {}
        self._silent: dict[Span, bool] = {}

    def correspondences(self, citation: Citation) -> list[tuple[str, Correspondence]]:
        """Return the citation's correspondences, cached for each list of sections."""
        what = (citation.key, citation.pinpoint.labels if citation.pinpoint is not None else None)
        if what not in self._known:
            self._known[what] = find_correspondences(self._concordance, citation)
        return self._known[what]

    def beside(self, citation: Citation, found: Correspondence) -> bool:
        """Return whether the citation's paragraph also cites a corresponding section of the other code, or
        another part of that section.
        """
        if found.other not in self._keys or not found.labels:
            return False
        paragraph = self._draft.paragraph_at(citation.core.start)
        if paragraph is None:
            return False
        if paragraph not in self._cited:
            self._cited[paragraph] = {
                (each.key, _section(label))
                for each in self._draft.citations_in(paragraph)
                if each.pinpoint is not None
                for label in each.pinpoint.labels
            }
        return any((found.other, _section(label)) in self._cited[paragraph] for label in found.labels)

    def silent(self, citation: Citation, table: Table) -> bool:
        """Return whether nothing should be reported in the citation's paragraph, because its words show that
        its author means the old law or knows the new law.
        """
        paragraph = self._draft.paragraph_at(citation.core.start)
        if paragraph is None:
            return True
        if paragraph not in self._silent:
            self._silent[paragraph] = _speaks_of_the_change(self._draft, paragraph, table)
        return self._silent[paragraph]


def _section(label: str) -> str:
    return label.partition("(")[0]


def _speaks_of_the_change(draft: Draft, paragraph: Span, table: Table) -> bool:
    text = paragraph.of(draft.masked)
    if any(word in text for word in _KNOWING) or any(name in text for name in _NEW_CODES):
        return True
    if "19" not in text and "20" not in text:
        return False
    cited = [each.span for each in draft.citations_in(paragraph)]
    return any(
        _before(year, table)
        for year in _YEAR.finditer(text)
        if not text[max(0, year.start() - 1) : year.start()].isdigit()
        and not any(year.start() + paragraph.start in span for span in cited)
    )


def _before(year: re.Match[str], table: Table) -> bool:
    """Return whether a year, with any day or month before it, is or may be before the replacement of the
    code.
    """
    number = int(year[0])
    if number != table.since.year:
        return number < table.since.year and number not in _ENACTED
    numbers = _DAY_BEFORE.search(year.string, max(0, year.start() - 7), year.start())
    if numbers is not None:
        return int(numbers[2]) <= table.since.month
    written = _MONTH_BEFORE.search(year.string, max(0, year.start() - 24), year.start())
    return written is None or MONTH_NUMBERS[written[1].casefold()] <= table.since.month


def _of_an_earlier_case(masked: str, table: Table) -> bool:
    """Return whether the draft mentions a police report, or a step in a case, dated before the replacement of
    the code.
    """
    for place in _mentions(masked, _REPORTS):
        match = _REPORT_YEAR.match(masked, place, place + 2 * _NEAR)
        year = _YEAR.match(masked, match.end()) if match is not None else None
        if year is not None and _before(year, table):
            return True
    for place in _mentions(masked, _STEPS):
        for day in _DAY.finditer(masked, max(0, place - _NEAR), place + _NEAR):
            year = _YEAR.match(masked, day.end())
            if year is not None and _before(year, table):
                return True
    return False


def _mentions(masked: str, words: Sequence[str]) -> Iterator[int]:
    for word in words:
        place = masked.find(word, 0, _FACTS_LENGTH)
        while place >= 0:
            yield place + len(word)
            place = masked.find(word, place + len(word), _FACTS_LENGTH)


_WARNED_OF: frozenset[TreatmentKind] = frozenset(
    ("overruled", "reversed", "vacated", "superseded", "disapproved", "not followed")
)
_ACKNOWLEDGED = compile_pattern(_PHRASES["acknowledged"], {})
_MOST_MENTIONS = 50


def check_treatment(snapshot: Snapshot, token: CancelToken) -> Iterator[Problem]:
    """Report each authority with negative treatment by a decision that the draft does not cite, at its first
    full citation. Nothing is reported if a paragraph that cites the authority shows that the author knows
    of the treatment.
    """
    draft, library = snapshot.draft, snapshot.library
    cited = draft.citations.keys()
    known = "treated", library.path, library.generation, cited
    for document, keys, worst in snapshot.judged.recall(known, lambda: _find_treated(library, cited)):
        token.raise_if_cancelled()
        mentions = list(draft.citations.of(keys))
        first = next((each for each in mentions if each.form == "full"), None)
        if first is not None and not _acknowledged(draft, mentions):
            yield _treated_problem(snapshot, first, document, worst)


def _find_treated(library: Library, keys: frozenset[str]) -> list[tuple[int, frozenset[str], TreatedIn]]:
    """Return the cited authorities that decisions not cited in the draft treat negatively, each with its keys
    in the draft and the worst treatment.
    """
    catalogue, graph = library.catalogue, library.graph
    cited = {key: catalogue.find_key(key) for key in keys - {""}}
    documents = {document for found in cited.values() for document in found}
    folded = {fold(key) for key in cited}
    treated = []
    for document in sorted(documents):
        known = graph.find_worst_treatment(document) is not None
        warnings = (
            each
            for each in (graph.find_treatments(document) if known else ())
            if each.treatment in _WARNED_OF
            and each.extent != "on other grounds"
            and each.treating not in documents
            and each.citing not in documents
            and _later(library, each, document)
            and not (each.by and fold(each.by) in folded)
        )
        worst = next(warnings, None)
        if worst is not None:
            treated.append(
                (document, frozenset(key for key, found in cited.items() if document in found), worst)
            )
    return treated


def _later(library: Library, treated: TreatedIn, document: int) -> bool:
    """Return whether the treating decision may be later than the treated one, judging by their years."""
    authority, treating = (
        library.catalogue.get(each) for each in (document, treated.treating or treated.citing)
    )
    if authority is None or treating is None:
        return False
    return authority.year is None or treating.year is None or authority.year <= treating.year


def _acknowledged(draft: Draft, mentions: list[Citation]) -> bool:
    paragraphs = {draft.paragraph_at(each.core.start) for each in mentions[:_MOST_MENTIONS]}
    return any(
        each is not None and _ACKNOWLEDGED.search(draft.masked, each.start, each.end) for each in paragraphs
    )


def _treated_problem(snapshot: Snapshot, citation: Citation, document: int, treated: TreatedIn) -> Problem:
    message = f"{as_named(snapshot, citation)} was {describe_treatment(snapshot.library, treated)}"
    sentence = Span(treated.sentence_start, treated.sentence_end)
    related = (Related("Where it says so", sentence, treated.citing),)
    return Problem(citation.core, NEGATIVE_TREATMENT.code, message, document, related)


CHECKS = (
    WholeCheck((NEGATIVE_TREATMENT,), check_treatment),
    WholeCheck((SUPERSEDED_PROVISION,), check_provisions),
)
