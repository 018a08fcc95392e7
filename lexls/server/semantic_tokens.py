"""Provide semantic tokens (full, full/delta and range), code lenses and inlay hints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t

from lexls.server.convert import to_content, to_path, to_position
from lexls.server.protocol import read_data
from lexls.server.server import DocumentRequest, LexlsServer
from lexls.settings.commands import TOKEN_MODIFIERS, TOKEN_TYPES
from lexls.text.memory import Memory
from lexls.text.spans import Span

if TYPE_CHECKING:
    from lexls.features.semantic_tokens import SemanticToken
    from lexls.server.documents import OpenDocument
    from lexls.text.lines import Encoding


OWN_TYPES = tuple(each.id for each in TOKEN_TYPES)
MODIFIERS = tuple(each.id for each in TOKEN_MODIFIERS)
KEPT_ANSWERS = 32
"""Maximum number of drafts whose last tokens are kept, so that only changes are sent."""


def choose_legend(server: LexlsServer) -> None:
    """Choose the names of the token types that the client knows. Call it once the client's capabilities are
    known, before the server sends its own.

    Editors do not colour types that they do not declare; if any of lexls's own is missing, standard types are
    used.
    """
    known = server.find_capability("text_document.semantic_tokens.token_types") or ()
    own = all(each in known for each in OWN_TYPES)
    legend = server.protocol.fm.feature_options[t.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL]
    assert isinstance(legend, t.SemanticTokensLegend)
    legend.token_types = [each.id if own else each.standard for each in TOKEN_TYPES]


def register(server: LexlsServer) -> None:
    """Register semantic tokens, code lenses and inlay hints."""
    legend = t.SemanticTokensLegend([*OWN_TYPES], [*MODIFIERS])
    answers = Memory[str, tuple[str, list[int]]](KEPT_ANSWERS)
    count = iter(range(1, 2**62))

    def keep(uri: str, data: list[int]) -> str:
        number = str(next(count))
        answers.keep(uri, (number, data))
        return number

    @server.feature(t.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, legend)
    async def full(ls: LexlsServer, params: t.SemanticTokensParams) -> t.SemanticTokens | None:
        uri = params.text_document.uri
        data = await ls.answer(uri, _encode, None)
        return None if data is None else t.SemanticTokens(data, result_id=keep(uri, data))

    @server.feature(t.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA)
    async def delta(
        ls: LexlsServer, params: t.SemanticTokensDeltaParams
    ) -> t.SemanticTokens | t.SemanticTokensDelta | None:
        uri = params.text_document.uri
        data = await ls.answer(uri, _encode, None)
        if data is None:
            return None
        before = answers.get(uri)
        number = keep(uri, data)
        if before is None or before[0] != params.previous_result_id:
            return t.SemanticTokens(data, result_id=number)
        return t.SemanticTokensDelta(find_changes(before[1], data), result_id=number)

    @server.answers(t.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE)
    def within(asked: DocumentRequest, params: t.SemanticTokensRangeParams) -> t.SemanticTokens:
        return t.SemanticTokens(_encode(asked, params.range))

    @server.answers(t.TEXT_DOCUMENT_CODE_LENS, t.CodeLensOptions(resolve_provider=True))
    def lenses(asked: DocumentRequest, params: t.CodeLensParams) -> list[t.CodeLens] | None:
        from lexls.features.inlays import find_lenses

        document = asked.document
        if not asked.session.settings.code_lens_enabled or _is_authority(asked):
            return None
        return [
            t.CodeLens(
                asked.range(span),
                data={"uri": document.uri, "version": document.version, "start": span.start},
            )
            for span in find_lenses(asked.snapshot, asked.token)
        ]

    @server.feature(t.CODE_LENS_RESOLVE)
    async def resolve_lens(ls: LexlsServer, params: t.CodeLens) -> t.CodeLens:
        data = read_data(params, {"uri": str, "version": int, "start": int})

        def work(asked: DocumentRequest) -> t.Command | None:
            from lexls.features.inlays import describe_lens

            if data["version"] != asked.document.version:
                return None
            found = describe_lens(asked.snapshot, data["start"], asked.token)
            if found is None:
                return None
            place = {"uri": asked.document.uri, "range": asked.range(found.wanted)}
            return t.Command(found.title, CHOOSE, arguments=[place])

        # The text may have changed since, but the editor needs a command in any case.
        params.command = await ls.answer(data["uri"], work, None) or t.Command("…", "")
        return params

    @server.answers(t.TEXT_DOCUMENT_INLAY_HINT, t.InlayHintOptions(resolve_provider=True))
    def hints(asked: DocumentRequest, params: t.InlayHintParams) -> list[t.InlayHint] | None:
        from lexls.features.inlays import find_hints

        document = asked.document
        if _is_authority(asked):
            return None
        return [
            t.InlayHint(
                to_position(document.lines, each.offset, asked.ls.encoding),
                [t.InlayHintLabelPart(each.label)],
                padding_left=each.behind,
                padding_right=not each.behind,
                data={"uri": document.uri, "version": document.version, "core": each.core.start},
            )
            for each in find_hints(asked.snapshot, asked.span(params.range), asked.token)
        ]

    @server.resolves(t.INLAY_HINT_RESOLVE, version=int, core=int)
    def resolve_hint(asked: DocumentRequest, params: t.InlayHint, data: dict[str, Any]) -> t.InlayHint:
        from lexls.features.inlays import explain_hint

        if data["version"] != asked.document.version:
            return params
        found = explain_hint(asked.snapshot, data["core"], asked.token)
        if found is not None:
            words, place = found
            params.tooltip = to_content(words, asked.ls.find_capability("text_document.hover.content_format"))
            # A label part with a location is shown as a link.
            resolved = asked.ls.find_capability("text_document.inlay_hint.resolve_support.properties")
            linked = "label.location" in (resolved or ())
            if linked and place is not None and isinstance(params.label, list):
                params.label[0].location = asked.location(place)
        return params


def _encode(asked: DocumentRequest, range_: t.Range | None = None) -> list[int]:
    """Return the tokens of a document, or of a range in it, in the protocol's encoding."""
    from lexls.features.semantic_tokens import find_tokens

    if not asked.snapshot.settings.semantic_tokens_enabled:
        return []
    span = Span(0, len(asked.document.source)) if range_ is None else asked.span(range_)
    return encode(find_tokens(asked.snapshot, span, asked.token), asked.document, asked.ls.encoding)


def encode(tokens: Sequence[SemanticToken], document: OpenDocument, encoding: Encoding) -> list[int]:
    """Encode tokens as five numbers each: line and start character relative to the previous token, length,
    type and modifiers.
    """
    data: list[int] = []
    line = column = 0
    for each in tokens:
        at, start = document.lines.position(each.span.start, encoding)
        _, end = document.lines.position(each.span.end, encoding)
        modifiers = each.defines * (1 << MODIFIERS.index("definition"))
        modifiers |= each.missing * (1 << MODIFIERS.index("missing"))
        data += (
            at - line,
            start - column if at == line else start,
            end - start,
            OWN_TYPES.index(each.kind),
            modifiers,
        )
        line, column = at, start
    return data


def find_changes(before: Sequence[int], after: Sequence[int]) -> list[t.SemanticTokensEdit]:
    """Return a list with the one edit that turns ``before`` into ``after``, or an empty list if they are
    equal.
    """
    start = 0
    shorter = min(len(before), len(after))
    while start < shorter and before[start] == after[start]:
        start += 1
    tail = 0
    while tail < shorter - start and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    if start == len(before) == len(after):
        return []
    deleted = len(before) - tail - start
    return [t.SemanticTokensEdit(start, deleted, list(after[start : len(after) - tail]))]


CHOOSE = "lexls.findSupport"
"""Command of a code lens. lexls's own clients show its result as a list to choose from."""


def _is_authority(asked: DocumentRequest) -> bool:
    """Return whether the document is part of the library or the record, and so not a draft."""
    return asked.session.is_authority(to_path(asked.document.uri))
