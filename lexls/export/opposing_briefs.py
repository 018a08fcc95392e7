"""Compare the authorities cited in a draft and in an opponent's brief, and what each side says about them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from lexls.assessing.check import as_named
from lexls.assessing.support import Support, judge_support
from lexls.citations.model import Citation
from lexls.citations.treatment import NEGATIVE, find_treatments
from lexls.features.find_support import describe_warning
from lexls.grounding.opposition import denies
from lexls.index.records import Authority
from lexls.reading.propositions import find_cited_part, find_sentence_supported, write_bare, write_shown
from lexls.reading.resolve import find_authorities, resolve
from lexls.reading.snapshot import Draft, Snapshot
from lexls.text.cancel import CancelToken
from lexls.text.spans import Span
from lexls.wording.place_words import cite_authority

_AGAINST = NEGATIVE | {"distinguished"}
_SAYINGS = 3
"""Maximum number of sentences shown per side for an authority."""


@dataclass(frozen=True, slots=True)
class Saying:
    """A proposition for which a brief cites an authority: ``text`` is on one line, ``span`` is the citation
    in the brief's source. ``stance`` describes how the brief departs from the authority ("distinguished",
    "cited against"); it is "" if the brief relies on it. ``support`` is whether the authority supports the
    text.
    """

    span: Span
    text: str
    stance: str
    support: Support


@dataclass(frozen=True, slots=True)
class SharedAuthority:
    """An authority cited in both briefs; ``name`` is its citation. ``differences`` describe how the briefs
    characterise it differently, and are empty if there is no evidence that they do.
    """

    name: str
    authority: Authority | None
    ours: tuple[Saying, ...]
    theirs: tuple[Saying, ...]
    differences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OpposingAuthority:
    """An authority that only the opponent cites. ``warning`` describes negative treatment in the library, or
    is "".
    """

    name: str
    authority: Authority | None
    theirs: tuple[Saying, ...]
    warning: str


@dataclass(frozen=True, slots=True)
class ComparedBrief:
    """An opponent's brief compared with the draft. ``shared`` are the authorities cited by both, those
    characterised differently first. ``missing`` are those cited only by the opponent, in order.
    ``only_ours`` names those cited only by the draft.
    """

    brief: Draft
    shared: tuple[SharedAuthority, ...]
    missing: tuple[OpposingAuthority, ...]
    only_ours: tuple[str, ...]


def compare_briefs(snapshot: Snapshot, opposing: Snapshot, token: CancelToken) -> ComparedBrief:
    """Compare a draft with an opponent's brief. Both snapshots must use the same library. Raises
    ``Cancelled``.

    Two citations count as the same authority if the library resolves both to the same document or, failing
    that, if their keys are equal.
    """
    ours, theirs = _cite(snapshot, token), _cite(opposing, token)
    catalogue = snapshot.library.catalogue
    held = {each: catalogue.get(each) if isinstance(each, int) else None for each in (*ours, *theirs)}
    shared: list[SharedAuthority] = []
    missing: list[OpposingAuthority] = []
    for identity, cited in theirs.items():
        token.raise_if_cancelled()
        authority, name = held[identity], _name(held, identity, cited)
        sayings = cited.say(opposing, token)
        if identity in ours:
            said = ours[identity].say(snapshot, token)
            differences = tuple(_differ(snapshot, said, sayings))
            shared.append(SharedAuthority(name, authority, said, sayings, differences))
        else:
            warning = describe_warning(snapshot.library, authority) if authority is not None else ""
            missing.append(OpposingAuthority(name, authority, sayings, warning))
    only = (_name(held, each, cited) for each, cited in ours.items() if each not in theirs)
    return ComparedBrief(
        opposing.draft,
        tuple(sorted(shared, key=lambda each: not each.differences)),
        tuple(missing),
        tuple(only),
    )


def _name(held: Mapping[int | str, Authority | None], identity: int | str, cited: _CitedInBrief) -> str:
    authority = held[identity]
    return cite_authority(authority) if authority is not None else cited.name


@dataclass(slots=True)
class _CitedInBrief:
    """An authority as cited in one brief: its name there, the indices of its citations, and the brief's
    stances by citation index.
    """

    name: str
    places: list[int]
    stances: Mapping[int, str]

    def say(self, snapshot: Snapshot, token: CancelToken) -> tuple[Saying, ...]:
        """Return the propositions for which the brief cites the authority. Those that depart from it come
        first.
        """
        draft = snapshot.draft
        found: dict[str, Saying] = {}
        for at in self.places:
            token.raise_if_cancelled()
            citation = draft.citations[at]
            part = find_cited_part(draft, citation)
            stance = self.stances.get(at, "")
            if part is not None and not stance:
                text, stance = part.text, "cited against" if part.against else ""
            else:
                text = _read_sentence(draft, citation, stated=bool(stance))
            if text:
                support = judge_support(snapshot, resolve(snapshot.library, draft, citation), token)
                found.setdefault(text, Saying(draft.mention_of(citation), text, stance, support))
        return tuple(sorted(found.values(), key=lambda each: not each.stance)[:_SAYINGS])


def _read_sentence(draft: Draft, citation: Citation, *, stated: bool) -> str:
    """Return the sentence that a citation supports, or "" if there is none directly before it. With
    ``stated``, return the sentence that contains the citation, which discusses the authority.
    """
    own = draft.sentence_at(citation.core.start)
    if own is None or stated:
        return draft.prose(own, without_citations=False) if own is not None else ""
    supported = find_sentence_supported(draft, citation)
    if supported is None or (supported != own and write_bare(draft, Span(supported.end, own.start))):
        return ""
    return write_shown(draft, supported)


def _cite(snapshot: Snapshot, token: CancelToken) -> dict[int | str, _CitedInBrief]:
    """Return the authorities that a brief cites. The keys are document ids or, for authorities that are not
    in the library, citation keys.
    """
    draft, found = snapshot.draft, dict[int | str, _CitedInBrief]()
    stances = _find_stances(draft)
    groups: set[int] = set()
    for at, citation in enumerate(draft.citations):
        if at % 64 == 0:
            token.raise_if_cancelled()
        full = draft.antecedent_of(citation) or citation
        if (citation.group and citation.group in groups) or not full.key or citation.form == "defined":
            continue
        groups.add(citation.group)
        mates = [full, *draft.group_of(full)]
        known = next(filter(None, (find_authorities(snapshot, each) for each in mates)), ())
        identity: int | str = known[0] if known else full.key
        name = as_named(snapshot, full)
        found.setdefault(identity, _CitedInBrief(name, [], stances)).places.append(at)
    return found


def _find_stances(draft: Draft) -> dict[int, str]:
    """Return the brief's negative treatment of authorities, by the index of each citation."""
    sentences = [each for paragraph in draft.paragraphs for each in draft.sentences_of(paragraph)]
    stances: dict[int, str] = {}
    treated = find_treatments(draft.masked, list(draft.citations), sentences)
    by_sentence: defaultdict[Span, list[tuple[str, str]]] = defaultdict(list)
    for each in treated:
        if each.kind in _AGAINST and not each.by:
            by_sentence[each.sentence].append((each.key, each.kind))
    for at, citation in enumerate(draft.citations):
        full = draft.antecedent_of(citation) or citation
        sentence = draft.sentence_at(citation.core.start)
        for key, kind in by_sentence.get(sentence, ()) if sentence is not None else ():
            if key in (citation.key, full.key):
                stances[at] = kind
    return stances


def _differ(snapshot: Snapshot, ours: Sequence[Saying], theirs: Sequence[Saying]) -> Iterator[str]:
    """Describe how the two sides characterise one authority differently. Only clear differences are
    reported.
    """
    sides = (("the draft", ours, "the opponent", theirs), ("the opponent", theirs, "the draft", ours))
    for mine, said, other, there in sides:
        stances = sorted({each.stance for each in said} - {""})
        if stances and not any(each.stance for each in there):
            yield f"{mine} departs from it ({', '.join(stances)}), {other} relies on it"
    for mine, said, _, there in reversed(sides):
        if _is_contradicted(said) and not _is_contradicted(there):
            yield f"it says the contrary of what {mine} cites it for"
    pairs = product(ours, theirs)
    if any(_opposes(snapshot, a.text, b.text) or _opposes(snapshot, b.text, a.text) for a, b in pairs):
        yield "each cites it for the contrary of what the other does"


def _is_contradicted(side: Sequence[Saying]) -> bool:
    return any(each.support.verdict == "contradicted" and not each.stance for each in side)


def _opposes(snapshot: Snapshot, sentence: str, proposition: str) -> bool:
    return denies(sentence, proposition, snapshot.tokens, snapshot.library.rarity)
