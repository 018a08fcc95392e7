"""What helps while editing, over the wire, in all position encodings: ranges cover the right words."""

from __future__ import annotations

import asyncio
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_lsp
from lsprotocol import types as t
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities
from raw_client import PATIENCE, environment
from refreshes import take_refreshes
from sample_copy import copy_sample

from lexls.text.lines import LineIndex

pytestmark = pytest.mark.asyncio(loop_scope="module")

ENCODINGS = {"visual_studio_code": "utf-16", "neovim": "utf-8", "emacs": "utf-32"}
HOME = tempfile.TemporaryDirectory(prefix="lexls-home-")
CONFIG = ClientServerConfig(
    server_command=[sys.executable, "-m", "lexls", "serve"], server_env=environment(Path(HOME.name))
)
# 𝔄 and the quotation marks make a difference in every encoding.
DRAFT = """# 𝔄 note

𝔄 “The carrier must answer for it”: *Carrow Shipping Ltd v Meridian Grain Traders Ltd* [2014] ASC 12 at [23] \
(“*Carrow*”).

*Ibid* at [14].

𝔄 Under the Carriage of Goods Act 1994 (“the Act”), s 12(1), “it” is so; section 13 of the Act too, and \
*Carrow* at [21]. See Ostrander v Gull Rock Packet Co [2013] ACA 77.

## 𝔄 More

𝔄 “It” was said in [2015] ASC 30 at [16].
"""


class Open:
    """The draft, open in a client of some editor."""

    def __init__(self, client: LanguageClient, uri: str, encoding: str) -> None:
        self.client = client
        self.document = t.TextDocumentIdentifier(uri)
        self.encoding: Any = encoding
        self.lines = LineIndex(DRAFT)

    def position(self, words: str, into: int = 0) -> t.Position:
        return t.Position(*self.lines.position(DRAFT.index(words) + into, self.encoding))

    def offset(self, position: t.Position) -> int:
        return self.lines.offset(position.line, position.character, self.encoding)

    def words(self, range_: t.Range) -> str:
        return DRAFT[self.offset(range_.start) : self.offset(range_.end)]

    @property
    def whole(self) -> t.Range:
        return t.Range(t.Position(0, 0), t.Position(*self.lines.position(len(DRAFT), self.encoding)))


async def within(answer: Any) -> Any:
    return await asyncio.wait_for(answer, PATIENCE)


@pytest_lsp.fixture(scope="module", params=list(ENCODINGS), config=CONFIG)
async def client(
    lsp_client: LanguageClient, request: pytest.FixtureRequest, indexed: Path
) -> AsyncIterator[None]:
    name = request.param
    shutil.copytree(indexed / "home", HOME.name, dirs_exist_ok=True)
    root = copy_sample(indexed / "sample")
    settings = root / "lexls.toml"
    settings.write_text("codeLens.enabled = true\n" + settings.read_text(encoding="utf-8"), encoding="utf-8")
    lsp_client.refreshed = take_refreshes(lsp_client)  # type: ignore[attr-defined]
    answer = await lsp_client.initialize_session(
        t.InitializeParams(
            capabilities=client_capabilities(name),
            root_uri=root.as_uri(),
            workspace_folders=[t.WorkspaceFolder(root.as_uri(), "sample")],
        )
    )
    lsp_client.capabilities_of_server = answer.capabilities  # type: ignore[attr-defined]
    uri = (root / "drafts/note.md").as_uri()
    lsp_client.text_document_did_open(
        t.DidOpenTextDocumentParams(t.TextDocumentItem(uri, "markdown", 1, DRAFT))
    )
    lsp_client.draft = Open(lsp_client, uri, ENCODINGS[name])  # type: ignore[attr-defined]

    async def indexed() -> None:
        while True:
            status = await lsp_client.workspace_execute_command_async(t.ExecuteCommandParams("lexls.status"))
            if status["libraries"][0]["phase"] in ("ready", "lexical"):
                return
            await asyncio.sleep(0.1)

    await within(indexed())
    yield
    await lsp_client.shutdown_session()


@pytest.fixture
def draft(client: LanguageClient) -> Open:
    found: Open = client.draft  # type: ignore[attr-defined]
    return found


async def test_mentions_light_up_and_the_definition_is_written(client: LanguageClient, draft: Open) -> None:
    found = await within(
        client.text_document_document_highlight_async(
            t.DocumentHighlightParams(draft.document, draft.position("[2014] ASC 12", 2))
        )
    )
    assert [(draft.words(each.range), each.kind) for each in found] == [
        (
            "Carrow Shipping Ltd v Meridian Grain Traders Ltd* [2014] ASC 12 at [23]",
            t.DocumentHighlightKind.Read,
        ),
        ("Carrow", t.DocumentHighlightKind.Write),
        ("Ibid* at [14]", t.DocumentHighlightKind.Read),
        ("Carrow* at [21]", t.DocumentHighlightKind.Read),
    ]


async def test_a_term_is_renamed_where_it_is_defined_and_used(client: LanguageClient, draft: Open) -> None:
    at = draft.position("13 of the Act", 11)
    prepared = await within(
        client.text_document_prepare_rename_async(t.PrepareRenameParams(draft.document, at))
    )
    assert prepared.placeholder == "Act"
    assert draft.words(prepared.range) == "Act"
    edit = await within(
        client.text_document_rename_async(
            t.RenameParams(text_document=draft.document, position=at, new_name="the 1994 Act")
        )
    )
    if edit.document_changes:
        (change,) = edit.document_changes
        assert change.text_document.version == 1
        edits = change.edits
    else:
        edits = edit.changes[draft.document.uri]
    assert [draft.words(each.range) for each in edits] == ["Act", "Act"]
    assert {each.new_text for each in edits} == {"1994 Act"}


async def test_what_cannot_be_renamed_is_refused_in_words(client: LanguageClient, draft: Open) -> None:
    with pytest.raises(Exception, match="Only a term that this draft defines"):
        await within(
            client.text_document_prepare_rename_async(
                t.PrepareRenameParams(draft.document, draft.position("[2014] ASC 12", 2))
            )
        )
    with pytest.raises(Exception, match="already defined"):
        await within(
            client.text_document_rename_async(
                t.RenameParams(
                    text_document=draft.document,
                    position=draft.position("13 of the Act", 11),
                    new_name="Carrow",
                )
            )
        )


async def test_hints_stand_behind_the_words_they_explain(client: LanguageClient, draft: Open) -> None:
    hints = await within(
        client.text_document_inlay_hint_async(t.InlayHintParams(draft.document, draft.whole))
    )
    shown = {}
    for hint in hints:
        offset = draft.offset(hint.position)
        shown[hint.label[0].value] = (DRAFT[offset - 6 : offset], DRAFT[offset : offset + 6])
    assert shown == {
        "= Carrow Shipping [2014] ASC 12": ("*Ibid*", " at [1"),
        "Northshore Lighterage": ("id in ", "[2015]"),
    }
    resolved = await within(client.inlay_hint_resolve_async(hints[0]))
    tooltip = resolved.tooltip
    assert "Supreme Court of Aldmoor" in (tooltip if isinstance(tooltip, str) else tooltip.value)


async def test_hints_are_those_of_the_range(client: LanguageClient, draft: Open) -> None:
    start = draft.position("## 𝔄 More")
    last = t.Range(start, draft.whole.end)
    hints = await within(client.text_document_inlay_hint_async(t.InlayHintParams(draft.document, last)))
    assert [hint.label[0].value for hint in hints] == ["Northshore Lighterage"]


def decoded(draft: Open, client: LanguageClient, data: list[int]) -> list[tuple[str, str, int]]:
    legend = client.capabilities_of_server.semantic_tokens_provider.legend  # type: ignore[attr-defined]
    line = column = 0
    found = []
    for place in range(0, len(data), 5):
        lines, columns, length, kind, modifiers = data[place : place + 5]
        line, column = line + lines, columns if lines else column + columns
        start, end = t.Position(line, column), t.Position(line, column + length)
        found.append((draft.words(t.Range(start, end)), legend.token_types[kind], modifiers))
    return found


async def test_tokens_cover_the_words_in_types_the_editor_knows(client: LanguageClient, draft: Open) -> None:

    async def tokens() -> list[tuple[str, str, int]]:
        while True:  # nothing is missing before the library was read to its end
            params = t.SemanticTokensParams(draft.document)
            answer = await client.text_document_semantic_tokens_full_async(params)
            found = decoded(draft, client, answer.data)
            if ("[2013] ACA 77", "enumMember", 2) in found:
                return found
            await asyncio.sleep(0.1)

    found = await within(tokens())
    assert found[:5] == [
        ("Carrow Shipping Ltd v Meridian Grain Traders Ltd", "class", 0),
        ("[2014] ASC 12", "enumMember", 0),
        ("[23]", "number", 0),
        ("Carrow", "variable", 1),
        ("Ibid", "variable", 0),
    ]
    start = draft.position("## 𝔄 More")
    part = await within(
        client.text_document_semantic_tokens_range_async(
            t.SemanticTokensRangeParams(draft.document, t.Range(start, draft.whole.end))
        )
    )
    assert decoded(draft, client, part.data) == found[-2:]


async def test_only_changed_tokens_are_sent_again(client: LanguageClient, draft: Open) -> None:
    first = await within(
        client.text_document_semantic_tokens_full_async(t.SemanticTokensParams(draft.document))
    )
    same = await within(
        client.text_document_semantic_tokens_full_delta_async(
            t.SemanticTokensDeltaParams(draft.document, first.result_id)
        )
    )
    assert isinstance(same, t.SemanticTokensDelta)
    assert not same.edits
    strange = await within(
        client.text_document_semantic_tokens_full_delta_async(
            t.SemanticTokensDeltaParams(draft.document, "of another day")
        )
    )
    assert isinstance(strange, t.SemanticTokens)
    assert strange.data == first.data


async def test_sections_fold(client: LanguageClient, draft: Open) -> None:
    found = await within(client.text_document_folding_range_async(t.FoldingRangeParams(draft.document)))
    last = DRAFT.rstrip().count("\n")
    assert [(each.start_line, each.end_line) for each in found] == [(0, last), (last - 2, last)]


async def test_a_selection_grows(client: LanguageClient, draft: Open) -> None:
    positions = [draft.position("ASC 30", 1), draft.position("More", 1)]
    first, second = await within(
        client.text_document_selection_range_async(t.SelectionRangeParams(draft.document, positions))
    )
    grown = []
    each = first
    while each is not None:
        grown.append(draft.words(each.range))
        each = each.parent
    assert grown[:4] == [
        "ASC",
        "[2015] ASC 30",
        "[2015] ASC 30 at [16]",
        "𝔄 “It” was said in [2015] ASC 30 at [16].",
    ]
    assert grown[-1] == DRAFT
    assert draft.words(second.range) == "More"


async def test_a_lens_counts_the_authorities_of_its_paragraph(client: LanguageClient, draft: Open) -> None:
    lenses = await within(client.text_document_code_lens_async(t.CodeLensParams(draft.document)))
    assert all(lens.command is None for lens in lenses)
    titles = []
    for lens in lenses:
        resolved = await within(client.code_lens_resolve_async(lens))
        assert resolved.command.command == "lexls.findSupport"
        titles.append(resolved.command.title)
    assert titles == ["1 authority", "3 authorities · 1 not in your library", "1 authority"]
    (place,) = resolved.command.arguments
    hits = await within(
        client.workspace_execute_command_async(t.ExecuteCommandParams("lexls.findSupport", [place]))
    )
    assert isinstance(hits, list)
    assert {hit["distance"] for hit in hits} == {""}


async def test_a_position_outside_citations_is_quiet(client: LanguageClient, draft: Open) -> None:
    at = draft.position("More", 1)
    found = await within(
        client.text_document_document_highlight_async(t.DocumentHighlightParams(draft.document, at))
    )
    assert not found


async def test_an_editor_is_told_to_ask_again_when_the_library_changes(
    client: LanguageClient, draft: Open
) -> None:
    workspace = client.capabilities.workspace
    assert workspace is not None
    wanted = {
        method
        for method, known in (
            (t.WORKSPACE_INLAY_HINT_REFRESH, workspace.inlay_hint),
            (t.WORKSPACE_SEMANTIC_TOKENS_REFRESH, workspace.semantic_tokens),
            (t.WORKSPACE_CODE_LENS_REFRESH, workspace.code_lens),
        )
        if known is not None and known.refresh_support
    }
    refreshed: list[str] = client.refreshed  # type: ignore[attr-defined]
    refreshed.clear()
    path = Path(draft.document.uri.removeprefix("file://")).parents[1] / "library/cases/new.md"
    path.write_text('---\ntitle: New v Case\ncitation: "[2025] ASC 99"\nkind: case\n---\n\n[1] It is so.\n')

    async def told() -> None:
        while not wanted <= set(refreshed):
            await asyncio.sleep(0.05)

    await within(told())
    assert set(refreshed) == wanted
