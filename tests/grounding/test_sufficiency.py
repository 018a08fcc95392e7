from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from lexls.grounding.answer import Request
from lexls.grounding.context import gather_evidence
from lexls.grounding.relevant_passages import find_relevant_passages
from lexls.grounding.sufficiency import find_weakness
from lexls.index.library import Library
from lexls.index.tokens import Tokenizer
from lexls.retrieval.model import Filters, Hit
from lexls.retrieval.search import Searcher
from lexls.text.cancel import CancelToken

TOKENS = Tokenizer().tokenize


def found(library: Library, question: str) -> tuple[Request, Sequence[Hit]]:
    hits = find_relevant_passages(Searcher(library), question, 6, Filters(), CancelToken())
    return Request("ask", question, gather_evidence(library, hits, "neighbours", 20_000, 6)), hits


def reason(library: Library, question: str) -> str:
    request, hits = found(library, question)
    return find_weakness(request, TOKENS, library, hits)


@pytest.mark.parametrize(
    "question",
    [
        "Notice of moving a vessel must be given in writing.",
        "Must a board give notice before it moves a vessel?",
        "A board may let a mooring again when its rent is unpaid.",
        "To whom do geese on a common belong in winter?",
    ],
)
def test_what_the_library_speaks_of_is_strong(harbour_library: Library, question: str) -> None:
    assert reason(harbour_library, question) == ""


@pytest.mark.parametrize(
    "question",
    [
        "Simmer the lentils with a bay leaf in winter until they are soft.",
        "A telescope with a wider mirror gathers more light from distant stars in the night.",
        "The troll of Karstland may levy butter upon pilgrims and their candles.",
        "Sopranos notice the long phrase in the second movement of the solemn mass.",
    ],
)
def test_what_it_does_not_speak_of_is_weak(harbour_library: Library, question: str) -> None:
    assert reason(harbour_library, question).startswith(
        "Nothing found in your library is near enough to this to rest on"
    )


def test_the_reason_names_words_that_the_library_does_not_have(harbour_library: Library) -> None:
    said = reason(harbour_library, "A lighthouse keeper owes the owner of a vessel lentils and a telescope.")
    assert "“lighthouse”" in said
    assert "“lentils”" in said
    assert "vessel" not in said


def test_the_name_of_a_document_counts_as_found(harbour_library: Library) -> None:
    request, hits = found(harbour_library, "A barge lay under the swing bridge.")
    request = replace(request, question="Alder on lentils or on telescopes")
    hits = [hit for hit in hits if hit.authority.relative == "bridge.md"]
    unnamed = [replace(hit, authority=replace(hit.authority, title="")) for hit in hits]
    assert find_weakness(request, TOKENS, harbour_library, hits) == ""
    assert find_weakness(request, TOKENS, harbour_library, unnamed)


def test_without_evidence_it_is_weak(harbour_library: Library) -> None:
    request = Request("ask", "Notice of moving a vessel must be given in writing.", ())
    assert "Nothing was found" in find_weakness(request, TOKENS, harbour_library, ())


def test_without_words_it_is_weak(harbour_library: Library) -> None:
    request, hits = found(harbour_library, "Notice of moving a vessel must be given in writing.")
    assert "no words" in find_weakness(
        replace(request, question="And so it is."), TOKENS, harbour_library, hits
    )


def test_a_given_authority_is_always_explained(harbour_library: Library) -> None:
    request, hits = found(
        harbour_library, "Simmer the lentils with a bay leaf in winter until they are soft."
    )
    assert find_weakness(request, TOKENS, harbour_library, hits)
    assert find_weakness(replace(request, task="explain"), TOKENS, harbour_library, hits) == ""


class Alike:
    """A library whose passages all have one cosine with the question's vector."""

    def __init__(self, library: Library, cosine: float) -> None:
        self._library = library
        self._vector = np.array([cosine, (1 - cosine**2) ** 0.5], np.float32)

    def vector(self, passage: int) -> np.ndarray:
        return self._vector

    def __getattr__(self, name: str) -> object:
        return getattr(self._library, name)


@pytest.mark.parametrize(
    ("cosine", "question", "weak"),
    [
        (0.7, "Simmer the lentils with a bay leaf in winter until they are soft.", False),
        (0.2, "Simmer the lentils with a bay leaf in winter until they are soft.", True),
        (0.1, "A board moves a vessel from moorings of her owner in spring, unlike snow.", True),
        (0.45, "Notice of moving a vessel must be given in writing.", False),
    ],
)
def test_likeness_and_words_are_weighed_together(
    harbour_library: Library, cosine: float, question: str, weak: bool
) -> None:
    request, hits = found(harbour_library, question)
    library = Alike(harbour_library, cosine)
    asked = np.array([1.0, 0.0], np.float32)
    assert bool(find_weakness(request, TOKENS, library, hits, asked)) is weak  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("question", "kind", "says"),
    [
        ("Is liability capped?", "contract", True),
        ("Which law governs it?", "contract", True),
        ("Can we cancel it at any time?", "contract", True),
        ("Is liability capped?", "statute", False),
        ("How high is the weir?", "contract", False),
    ],
)
def test_a_clause_that_is_not_recognised_is_not_denied(
    harbour_library: Library, question: str, kind: str, says: bool
) -> None:
    request, hits = found(harbour_library, "A barge lay under the swing bridge.")
    evidence = tuple(
        replace(each, authority=replace(each.authority, kind=kind)) for each in request.evidence[:1]
    )
    hits = [replace(hit, authority=replace(hit.authority, kind=kind)) for hit in hits[:1]]
    weak = find_weakness(
        replace(request, question=question, evidence=evidence), TOKENS, harbour_library, hits
    )
    assert weak.startswith("No clause of this kind was recognised") == says
    assert weak
