"""Short forms find their authority: one pass forward over a text's mentions."""

from __future__ import annotations

from lexls.citations.mention import Mention
from lexls.citations.model import Citation
from lexls.text.spans import Span


def resolve(
    text: str, cases: list[Mention], statutes: list[Mention], jurisdiction: str
) -> tuple[Citation, ...]:
    """The citations of a text in order, overlaps removed and short forms given their antecedent's key."""
    taken = sorted((mention.start, mention.end) for mention in cases)
    mentions = sorted([*cases, *_outside(statutes, taken)], key=lambda mention: (mention.start, -mention.end))
    citations: list[Citation] = []
    last_act: int | None = None
    for mention in mentions:
        antecedent: int | None = None
        key, place = mention.key, mention.jurisdiction
        if mention.form != "full":
            antecedent = last_act
            if antecedent is None:
                if mention.form == "defined" or mention.reference:
                    continue
            else:
                key, place = citations[antecedent].key, citations[antecedent].jurisdiction
        if not place and mention.kind != "case":
            place = jurisdiction
        citations.append(
            Citation(
                span=Span(mention.start, mention.end),
                core=mention.core,
                text=text[mention.start : mention.end],
                kind=mention.kind,
                form=mention.form,
                jurisdiction=place,
                key=key,
                name=mention.name,
                year=mention.year,
                pinpoint=mention.pinpoint,
                group=mention.group,
                antecedent=antecedent,
            )
        )
        if mention.form == "full" and mention.kind != "case":
            last_act = len(citations) - 1
    return tuple(citations)


def _outside(mentions: list[Mention], taken: list[tuple[int, int]]) -> list[Mention]:
    """The mentions that do not overlap a case citation."""
    kept = []
    index = 0
    for mention in sorted(mentions, key=lambda entry: entry.start):
        while index < len(taken) and taken[index][1] <= mention.start:
            index += 1
        if index < len(taken) and taken[index][0] < mention.end:
            continue
        kept.append(mention)
    return kept
