"""Whatever a text looks like, reading its citations ends well and says what stands there."""

from __future__ import annotations

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from lexls.citations.grammar import Grammar
from lexls.citations.model import Citation
from lexls.citations.registry import Registry
from lexls.text.spans import Span


def listed(pieces: str) -> tuple[str, ...]:
    """The pieces of a listing that broken bars part."""
    return tuple(pieces.split("¦"))


EXAMPLES = sorted({example.text for form in Registry.load().forms for example in form.examples})
WORDS = listed(
    "Carrow v Dunne¦Ryle v. Pell Line Ltd.¦In re Orr¦R (Hale) v Board (No 2)¦É. Löwe v. ‘X’ & Co.¦"
    "the said Act¦the Act¦Pilotage Act 1988¦section 9¦ss 4–6 of¦s. 302 r/w s. 34 IPC¦Article 21¦"
    "Sch 1A, para 2¦Order XXXIX Rules 1 and 2¦§§ 1981, 1983¦O. 5¦the bill¦hereof¦the Constitution¦"
    "at [14]¦, 99-100, 103 n.4¦paras 3, 5 and 7¦¶ 12¦at p. 4¦(2000)¦(9th Cir. 1999)¦(n 3)¦supra¦"
    'supra note 3¦above n 3¦n 3 above¦op. cit.¦loc. cit.¦Id.¦id. at 5¦Ibid¦83 id. 154¦("the Act")¦'
    "(“Carrow”)¦(hereinafter 'the Code')¦[‘CGA’]¦Carrow¦CGA¦case¦cases¦decision¦aff'd,¦"
    "rev’d on other grounds,¦cert. denied,¦sub nom.¦135 *355 Mass. 147¦531 U.S., at 104"
)
SIGNS = listed(
    ".¦,¦;¦:¦(¦)¦[¦]¦“¦”¦'¦’¦-¦–¦—¦/¦*¦§¦¶¦&¦\\¦\0¦\n¦\n\n¦\r\n\r\n¦\f¦\t¦\xa0¦\u200b¦\u2028¦\ufeff¦"
    "é¦ﬁ¦𝔸¦٣¦²¦Ⅳ¦İ¦ß¦漢¦1¦12¦1990¦999999999999¦v¦V.¦A¦A.A.¦of¦and¦the¦See¦in¦at¦n¦s¦No."
)
PIECE = st.one_of(
    st.sampled_from(EXAMPLES),
    st.sampled_from(WORDS),
    st.sampled_from(SIGNS),
    st.builds(lambda text, at: text[: at % (len(text) + 1)], st.sampled_from(EXAMPLES), st.integers(0, 60)),
    st.text(max_size=6),
)
TEXT = st.builds(
    lambda pieces, gaps: "".join(piece + gap for piece, gap in zip(pieces, gaps, strict=False)),
    st.lists(PIECE, max_size=24),
    st.lists(st.sampled_from([" ", " ", " ", "", ", ", "\n", "; "]), min_size=24, max_size=24),
)
JURISDICTIONS = st.sampled_from(["", "UK", "US", "IN", "AU", "CA", "EU", "ECHR", "NZ", "SG", "HK", "Aldmoor"])


def sound(text: str, found: tuple[Citation, ...]) -> None:
    """Checks what must hold of the citations of any text."""
    end = 0
    for citation in found:
        span, core = citation.span, citation.core
        assert end <= span.start < span.end <= len(text)
        assert span.start <= core.start < core.end <= span.end
        assert citation.text == span.of(text)
        if citation.pinpoint is not None:
            place = citation.pinpoint.span
            assert span.start <= place.start < place.end <= span.end
            assert citation.pinpoint.labels
        if citation.antecedent is not None:
            full = found[citation.antecedent]
            assert (full.form, full.antecedent) == ("full", None)
            assert full.key == citation.key
        if citation.form == "full":
            assert citation.key
        assert not (citation.unread and citation.key)
        assert not citation.ambiguous or citation.form == "id"
        end = span.end


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=TEXT, jurisdiction=JURISDICTIONS)
@example(text="Carrow v. Dunne, 531 U.S.\u2028 98 (2000). Id. at 5", jurisdiction="US")
def test_any_text_is_read_soundly(grammar: Grammar, text: str, jurisdiction: str) -> None:
    sound(text, grammar.find(text, jurisdiction))


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    pieces=st.lists(TEXT, min_size=1, max_size=6),
    notes=st.dictionaries(
        st.sampled_from(["1", "2", "3", "9"]), st.tuples(st.integers(0, 400), st.integers(0, 200)), max_size=4
    ),
    jurisdiction=JURISDICTIONS,
)
def test_any_pieces_with_footnotes_are_read_soundly(
    grammar: Grammar, pieces: list[str], notes: dict[str, tuple[int, int]], jurisdiction: str
) -> None:
    text = "".join(pieces)
    spans = {
        number: Span(min(start, len(text)), min(start + length, len(text)))
        for number, (start, length) in notes.items()
    }
    sound(text, tuple(grammar.reader(jurisdiction).read(pieces, spans)))
