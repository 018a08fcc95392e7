"""Code actions that explain, oppose or draft a sentence: commands, so that offering them searches nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

if TYPE_CHECKING:
    from lexls.features.find_support import SupportOption
    from lexls.features.snapshot import Snapshot
    from lexls.text.spans import Span

EXPLAIN = "explain.lexls"
"""A kind of its own: editors list kinds that they do not know under "more actions" (VS Code) or among all
others; those of "source" they would leave out of the menu at the cursor."""
DRAFT = "refactor.rewrite.lexls"
EXPLAIN_CITATION = "Explain this citation"
EXPLAIN_SUPPORT = "Explain how {authority} supports the sentence"
DRAFT_SENTENCE = "Draft a supported sentence"
CONTRARY = "Contrary authority"
FEWEST_WORDS = 4
"""A sentence with fewer words beside its citations says nothing that could be borne out or denied."""
EXPLAINED = 3
"""Of so many authorities that were found it is offered to explain how they support the sentence."""


def explaining(snapshot: Snapshot, uri: str, range_: t.Range, span: Span) -> list[t.CodeAction]:
    """What can be explained at ``span``: the citation there, and what stands against its sentence."""
    from lexls.features.explain import citation_near
    from lexls.features.resolve import authority_of, resolve

    actions = []
    citation = citation_near(snapshot, span.start)
    if citation is not None:
        cited = authority_of(snapshot.library, resolve(snapshot.library, snapshot.draft, citation))
        if cited is not None:
            actions.append(_action(EXPLAIN_CITATION, EXPLAIN, "lexls.explain", uri, range_))
    if _states(snapshot, span):
        actions.append(_action(CONTRARY, EXPLAIN, "lexls.contrary", uri, range_))
    return actions


def drafting(snapshot: Snapshot, uri: str, range_: t.Range, span: Span) -> list[t.CodeAction]:
    """The offer to write what the library supports, where a sentence cites nothing yet."""
    if not _states(snapshot, span) or _cites(snapshot, span):
        return []
    return [_action(DRAFT_SENTENCE, DRAFT, "lexls.draft", uri, range_)]


def explaining_support(uri: str, range_: t.Range, options: Sequence[SupportOption]) -> list[t.CodeAction]:
    """The offers to explain how the best of the authorities found support the sentence."""
    from lexls.grounding.place_words import named

    return [
        _action(
            EXPLAIN_SUPPORT.format(authority=named(option.hit.authority)),
            EXPLAIN,
            "lexls.explain",
            uri,
            range_,
            authority=option.hit.authority.id,
        )
        for option in options[:EXPLAINED]
    ]


def _states(snapshot: Snapshot, span: Span) -> bool:
    from lexls.features.find_support import proposition_at
    from lexls.features.propositions import bare

    target = proposition_at(snapshot, span)
    return target is not None and len(bare(snapshot.draft, target).split()) >= FEWEST_WORDS


def _cites(snapshot: Snapshot, span: Span) -> bool:
    from lexls.features.find_support import proposition_at

    target = proposition_at(snapshot, span)
    return target is not None and bool(snapshot.draft.citations_in(target))


def _action(title: str, kind: str, command: str, uri: str, range_: t.Range, **more: Any) -> t.CodeAction:
    place = {
        "start": {"line": range_.start.line, "character": range_.start.character},
        "end": {"line": range_.end.line, "character": range_.end.character},
    }
    # Whoever runs it from a menu has nothing to show an answer with but what the server asks for.
    shown = {} if command == "lexls.draft" else {"show": True}
    argument = {"uri": uri, "range": place, **shown, **more}
    return t.CodeAction(
        title, kind=kind, command=t.Command(title=title, command=command, arguments=[argument])
    )
