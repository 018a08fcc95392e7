"""Write code lenses above paragraphs and inlay hints between their words."""

from __future__ import annotations

from typing import Any

from lsprotocol import types as t

from lexls.server.convert import to_content, to_path, to_position
from lexls.server.protocol import read_data
from lexls.server.server import DocumentRequest, LexlsServer

CHOOSE = "lexls.findSupport"
"""Our clients show the answer of this command in a list to choose from."""


def register(server: LexlsServer) -> None:
    """Offer a lens above each paragraph; its words are found when the editor shows it."""

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

        # An editor may ask about a text that has moved on: what it shows must be a command all the same.
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
            # A part with a location is a link to it.
            resolved = asked.ls.find_capability("text_document.inlay_hint.resolve_support.properties")
            linked = "label.location" in (resolved or ())
            if linked and place is not None and isinstance(params.label, list):
                params.label[0].location = asked.location(place)
        return params


def _is_authority(asked: DocumentRequest) -> bool:
    """Whether the document is one of the library, which nobody writes."""
    return asked.session.is_authority(to_path(asked.document.uri))
