"""The diagnostics that lexls publishes, each declared once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "information", "hint", "off"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "information", "hint", "off")


@dataclass(frozen=True, slots=True)
class DiagnosticRule:
    """A diagnostic: its code, its default severity, one line of help and the text of its manual page."""

    code: str
    severity: Severity
    help: str
    documentation: str

    @property
    def key(self) -> str:
        """The setting that changes its severity: ``not-in-library`` → ``diagnostics.notInLibrary``."""
        first, *rest = self.code.split("-")
        return "diagnostics." + first + "".join(word.capitalize() for word in rest)


NOT_IN_LIBRARY = DiagnosticRule(
    code="not-in-library",
    severity="information",
    help="A citation of an authority that your library does not hold.",
    documentation="""\
The citation was read and understood, but no document of the library carries it. lexls knows only the
library it was given, so this says nothing about whether the authority exists: add its text to a library
folder and the message goes away, usually within a second.

It is reported once for each authority, where the draft cites it in full first. Short forms (*supra*, *id.*,
a bare section) follow the full citation they stand for and are not reported again. If the authority is in
the library and the message stays, the document's own citation was not recognised: give it in the front
matter (`citation:`, `parallel_citations:`), or declare the citation's form in `lexls.toml` under
`[[citations.forms]]`.

Where the library holds an authority of that name under a citation that a slip makes of this one (a digit
wrong, missing or swapped, a few pages off, the numbers in the wrong order, another court or report of the
same kind), the message asks whether it was meant, and a quick fix puts it in. For a citation without a name
the fixes are offered, and the message stays silent. Where only the name and the year agree, the message says
what the library has under that name: it may be another decision between the same parties.""",
)

PINPOINT_NOT_FOUND = DiagnosticRule(
    code="pinpoint-not-found",
    severity="warning",
    help="A pinpoint to a paragraph, page or section that the authority does not have.",
    documentation="""\
The authority is in the library, its paragraphs (or pages, or sections) are numbered, and none of them
carries the number that the citation points at: a judgment that ends at paragraph 41 is cited "at [52]",
say, or a section that was never enacted is relied on.

Nothing is reported where the library's copy has no numbering of that kind, since then nobody can tell: a
page of a report series is not checked against a text that keeps no pages.""",
)

NAME_MISMATCH = DiagnosticRule(
    code="name-mismatch",
    severity="warning",
    help="A case name that is not that of the case with this citation.",
    documentation="""\
The library holds an authority with the citation, and it has another name: either the name or the
numbers are wrong. The message gives the authority's name, the quick fix writes it, and the related
information opens the authority.

Names are the same for lexls however courts and reports write them: abbreviated ("Ass'n", "Dep't", "CFTC"),
with initials, in capitals, without accents, with or without "Ltd" and "& Ors", with a letter of a
transliterated name changed, with the parties in the other order, as "In re", or by one party alone; and
offices stand for one another ("R", "the Queen", "Commissioner …"). Nothing is reported where the names
share a party, unless it is the first one and the opponents are plainly two.""",
)

IMPOSSIBLE_CITATION = DiagnosticRule(
    code="impossible-citation",
    severity="warning",
    help="A year, volume or court that the report or neutral citation cannot have.",
    documentation="""\
The court gave no neutral citations in that year, the report had not begun or had ended, the volume
belongs to other years, or the year is still to come. It is reported only where the report's own years are
known, and never of a citation that the library holds. Where the library has an authority a slip away, it is
offered as for a citation that is not in the library.""",
)

PARALLEL_MISMATCH = DiagnosticRule(
    code="parallel-mismatch",
    severity="warning",
    help="Parallel citations of one case that belong to different cases.",
    documentation="""\
Two citations stand side by side as those of one case, and the library holds them as two of different names.
It is reported at the citation that the name in the draft does not belong to. The related information opens
both.""",
)

PINPOINT_ELSEWHERE = DiagnosticRule(
    code="pinpoint-elsewhere",
    severity="warning",
    help="A quotation that stands at another place of the authority than the pinpoint says.",
    documentation="""\
The words quoted are in the authority, but not at the paragraph, page or section that the citation
points at. The quick fix puts the right pinpoint in its place; it is offered where the words stand only
once.""",
)

MISQUOTATION = DiagnosticRule(
    code="misquotation",
    severity="error",
    help="A quotation whose words are not those of the authority it is attributed to.",
    documentation="""\
A negation, a modal verb, a number, a name or another word of substance differs, words are left out
without an ellipsis, or the passage is not in the authority at all. The differing words are marked, and the
quick fix restores those of the authority.

Quotation marks, dashes, spaces, ellipses, words in square brackets, star pages and the case of the first
letter are no differences.""",
)

QUOTATION_WORDING = DiagnosticRule(
    code="quotation-wording",
    severity="warning",
    help="A quotation in which a small word differs from the authority's text.",
    documentation="""\
Only function words differ ("a" for "the", "which" for "that"). The quick fix restores those of the
authority.""",
)

QUOTATION_ALTERED = DiagnosticRule(
    code="quotation-altered",
    severity="warning",
    help="An ellipsis or a bracket in a quotation that changes its sense.",
    documentation="""\
What the ellipsis leaves out holds a negation or an exception ("not", "unless", "except"), or the words in
brackets change a modal verb, a number or a negation of the original.""",
)

QUOTATION_SPELLING = DiagnosticRule(
    code="quotation-spelling",
    severity="hint",
    help="A quotation that differs from the authority's text as a scan or a slip of the pen does.",
    documentation="""\
Single letters differ ("rn" for "m", "l" for "1"), as where one of the two texts was scanned. Which of them
is right, only the printed report tells.""",
)

NEGATIVE_TREATMENT = DiagnosticRule(
    code="negative-treatment",
    severity="warning",
    help="An authority cited without the decision that overruled, reversed or disapproved it.",
    documentation="""\
A judgment in the library overrules, reverses, vacates or disapproves the authority or refuses to follow it,
and the draft does not cite that judgment. It is reported once, where the draft cites the authority in full
first; the related information opens the sentence that says so. lexls knows only the treatment that the
library's own texts show.

Nothing is reported where a paragraph that cites the authority shows that its author knows ("overruled", "but
see", "no longer good law", "the old rule"), nor of an authority overruled on other grounds or doubted.""",
)

NO_ANTECEDENT = DiagnosticRule(
    code="no-antecedent",
    severity="warning",
    help="A short form that refers back to nothing.",
    documentation="""\
An *ibid*, *id.* or *supra*, or a case cited by its short name and report, stands before any citation
that it could stand for, and nothing in the draft before it bears its name.

A bare section, "the Act" and the like are never reported, since they are ordinary words too; nor are short
forms that the draft quotes, or where an earlier citation may just not have been read.""",
)

AMBIGUOUS_IBID = DiagnosticRule(
    code="ambiguous-ibid",
    severity="warning",
    help="An ibid or id. after a footnote or sentence that cites more than one authority.",
    documentation="""\
*Ibid* and *id.* stand for the one authority cited immediately before. Behind a string of citations
("…; …") no reader can tell which is meant: use the short name. The related information lists what it may
stand for. Nothing is reported where the page it points at can be of one of them only.""",
)

UNUSED_DEFINITION = DiagnosticRule(
    code="unused-definition",
    severity="hint",
    help="A term defined for an authority and never used.",
    documentation="""\
The draft defines a term for an authority ("the Act", "*Carrow*") and its words stand nowhere else. The quick
fix removes the definition. Words in brackets without quotation marks or article ("(FAA)") are not taken for
such a definition, nor is what the draft quotes.""",
)

MISSING_FOOTNOTE = DiagnosticRule(
    code="missing-footnote",
    severity="warning",
    help="A footnote mark without its footnote, or a footnote without a mark.",
    documentation="""\
A mark such as `[^4]` has no footnote in the draft, so the text will show the mark itself, and the quick
fix begins the footnote; or a footnote is written that no mark points at, so it will be lost. In LaTeX it is a
`\\footnotemark` without its `\\footnotetext` or the other way about, in Typst a `#footnote(<label>)` whose
label nothing has.""",
)

NO_AUTHORITY = DiagnosticRule(
    code="no-authority",
    severity="off",
    help="A proposition of law without any authority.",
    documentation="""\
The sentence says what the law is ("must", "is liable unless"), and nothing is cited in it, in the next
sentence, in a footnote of either or at the end of the paragraph. Sentences about the parties, and
conclusions, are left out. Off by default; set it to "hint" to see the propositions that want support.""",
)

CITATION_STYLE = DiagnosticRule(
    code="citation-style",
    severity="hint",
    help="A citation written otherwise than the style guide of `citations.style` writes it.",
    documentation="""\
Reported only if `citations.style` names a style guide. The quick fix writes the citation as the guide does;
it changes how an authority is cited, never what is cited.""",
)

SUPERSEDED_PROVISION = DiagnosticRule(
    code="superseded-provision",
    severity="information",
    help="A provision of a code that was replaced, with its successor.",
    documentation="""\
The Bharatiya Nyaya Sanhita, the Bharatiya Nagarik Suraksha Sanhita and the Bharatiya Sakshya Adhiniyam
replaced the Indian Penal Code, the Code of Criminal Procedure and the Indian Evidence Act on 1 July 2024.
The message names the section that took the provision's place, says where a provision was split, merged or
not enacted again, and to what the new code applies: the Penal Code still governs offences committed before
that day, the other two proceedings that were pending then.

Each provision is told once, where it is first cited as if it were in force. Nothing is told where the draft
cites the successor beside it, in a paragraph that speaks of the new code or of an earlier day, and in a
draft that tells of a case from before that day: an FIR, an arrest, a conviction. Where there is exactly one
successor, a fix adds it. A provision whose successor is not certain is not reported.""",
)

UNKNOWN_KEY = DiagnosticRule(
    code="unknown-key",
    severity="warning",
    help="A key that is not in the draft's bibliography.",
    documentation="""\
The draft names a bibliography (`bibliography:` in the front matter, `\\addbibresource`, `\\bibliography`,
Typst's `#bibliography`) and cites a key that has no entry there. The quick fix writes a key that is nearly
the same.

Nothing is reported while a file of the bibliography cannot be read, and for keys that look like references to
figures, tables or sections. A key outside of brackets is reported only if it is nearly that of an entry.""",
)

BIBLIOGRAPHY_UNREADABLE = DiagnosticRule(
    code="bibliography-unreadable",
    severity="warning",
    help="A bibliography that the draft names and that cannot be read.",
    documentation="""\
The file is not there, is too large, or is not in the format of its suffix: CSL-JSON (`.json`), CSL-YAML
(`.yaml`; Hayagriva in Typst drafts), BibTeX or BibLaTeX (`.bib`). It is looked for in the draft's folder and
the three above it.""",
)

DIAGNOSTICS: tuple[DiagnosticRule, ...] = (
    NOT_IN_LIBRARY,
    NAME_MISMATCH,
    IMPOSSIBLE_CITATION,
    PARALLEL_MISMATCH,
    PINPOINT_NOT_FOUND,
    PINPOINT_ELSEWHERE,
    MISQUOTATION,
    QUOTATION_WORDING,
    QUOTATION_ALTERED,
    QUOTATION_SPELLING,
    NEGATIVE_TREATMENT,
    NO_ANTECEDENT,
    AMBIGUOUS_IBID,
    UNUSED_DEFINITION,
    MISSING_FOOTNOTE,
    NO_AUTHORITY,
    CITATION_STYLE,
    SUPERSEDED_PROVISION,
    UNKNOWN_KEY,
    BIBLIOGRAPHY_UNREADABLE,
)


def rule(code: str) -> DiagnosticRule:
    """The diagnostic with that code; KeyError if there is none."""
    for declared in DIAGNOSTICS:
        if declared.code == code:
            return declared
    raise KeyError(code)
