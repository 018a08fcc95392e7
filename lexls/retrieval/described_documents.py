"""Find the contracts that a question describes without naming them: "the content license", "our lease".

A name has capitals and says which document is meant in any library. A description says it among few: the
library's contracts that have its words in their titles. So it counts only where the rest of the question asks
for a kind of clause; "the license is void" says something of licenses.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from lexls.text.phrases import load_patterns
from lexls.text.spans import Span, leave_out

if TYPE_CHECKING:
    from lexls.index.records import Authority
    from lexls.index.tokens import Tokenizer

_PATTERNS = load_patterns(__package__, "data/naming.toml")
MOST_DESCRIBED = 6
"""What fits more contracts than these describes none of them."""
CONTRACTS = frozenset({"contract", "other"})
"""The kinds of documents that may be contracts, whose passages are clauses."""


@dataclass(frozen=True, slots=True)
class DescribedContract:
    """``words`` of a text say which contract is meant ("content"), ``noun`` what it is ("license"); ``rest``
    is what the text asks of it."""

    words: str
    noun: str
    rest: str

    @property
    def general(self) -> bool:
        """Whether the noun fits any contract."""
        return _PATTERNS["any_contract"].fullmatch(self.noun) is not None


def find_description(text: str) -> DescribedContract | None:
    """The last contract that ``text``, prose on one line, speaks of as the one that is known; None if it
    speaks of none."""
    found = list(_PATTERNS["described"].finditer(text))
    if not found:
        return None
    last = found[-1]
    return DescribedContract(last["words"], last["noun"], leave_out(text, [Span(*last.span())]))


def find_described(
    description: DescribedContract,
    authorities: Iterable[Authority],
    meant: frozenset[int],
    tokenizer: Tokenizer,
) -> tuple[int, ...]:
    """The contracts among ``authorities`` that a description fits, those before others whose titles have it
    word by word.

    ``meant`` are documents that are spoken of: where it fits some of these, it means no others; "the
    agreement" is the only contract among them. Empty where it fits too many, or none.
    """
    words = _tokenize(description.words, tokenizer)
    noun = () if description.general else _tokenize(description.noun, tokenizer)
    asked = (*words, *noun)
    following: list[int] = []
    apart: list[int] = []
    for authority in authorities:
        if authority.kind in CONTRACTS:
            title = _tokenize(f"{authority.title} {authority.short_title}", tokenizer)
            if not set(asked) - set(title):
                as_said = set(pairwise(asked)) <= set(pairwise(title))
                (following if as_said else apart).append(authority.id)
    spoken = [each for each in (*following, *apart) if each in meant]
    if not asked:
        return tuple(spoken) if len(spoken) == 1 else ()
    found = spoken or following or apart
    return tuple(found) if len(found) <= MOST_DESCRIBED else ()


def _tokenize(words: str, tokenizer: Tokenizer) -> tuple[str, ...]:
    # A licence is a license.
    return tuple(tokenizer.tokenize(_PATTERNS["licence"].sub("license", words)))
