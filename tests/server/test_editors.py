"""End to end, under the capabilities that real editors announce: the sample as a person would use it."""

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
DRAFT = "drafts/skeleton-argument.md"
CARROW = "[2014] ASC 12 at [23]"
UNSUPPORTED = "An expert witness owes a duty to the court"
HOME = tempfile.TemporaryDirectory(prefix="lexls-home-")
CONFIG = ClientServerConfig(
    server_command=[sys.executable, "-m", "lexls", "serve"], server_env=environment(Path(HOME.name))
)


class Editor:
    """One draft of the sample, open in a client of some editor."""

    def __init__(self, client: LanguageClient, root: Path, encoding: str) -> None:
        self.client = client
        self.root = root
        self.encoding: Any = encoding
        self.path = root / DRAFT
        self.uri = self.path.as_uri()
        self.document = t.TextDocumentIdentifier(self.uri)
        self.text = self.path.read_text(encoding="utf-8")
        self.lines = LineIndex(self.text)

    def position(self, words: str, into: int = 0) -> t.Position:
        """The position of ``words`` in the draft, ``into`` code points further."""
        return t.Position(*self.lines.position(self.text.index(words) + into, self.encoding))

    def words(self, range_: t.Range, text: str | None = None) -> str:
        """What a range of the draft (or of another text) covers."""
        text = self.text if text is None else text
        lines = LineIndex(text)
        start = lines.offset(range_.start.line, range_.start.character, self.encoding)
        end = lines.offset(range_.end.line, range_.end.character, self.encoding)
        return text[start:end]

    def applied(self, edit: t.WorkspaceEdit) -> str:
        """The draft after an edit of it."""
        changes: list[t.TextEdit] = []
        for each in edit.document_changes or ():
            assert isinstance(each, t.TextDocumentEdit)
            assert each.text_document.uri == self.uri
            changes += [change for change in each.edits if isinstance(change, t.TextEdit)]
        changes += (edit.changes or {}).get(self.uri, [])
        assert changes
        text = self.text
        for change in sorted(
            changes, key=lambda c: (c.range.start.line, c.range.start.character), reverse=True
        ):
            start = self.lines.offset(change.range.start.line, change.range.start.character, self.encoding)
            end = self.lines.offset(change.range.end.line, change.range.end.character, self.encoding)
            text = text[:start] + change.new_text + text[end:]
        return text


async def within(answer: Any) -> Any:
    return await asyncio.wait_for(answer, PATIENCE)


async def diagnosed(client: LanguageClient, uri: str, code: str) -> None:
    async def wait() -> None:
        while not any(each.code == code for each in client.diagnostics.get(uri, ())):
            await client.wait_for_notification(t.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)

    await within(wait())


@pytest_lsp.fixture(scope="module", params=list(ENCODINGS), config=CONFIG)
async def client(
    lsp_client: LanguageClient, request: pytest.FixtureRequest, indexed: Path
) -> AsyncIterator[None]:
    name = request.param
    shutil.copytree(indexed / "home", HOME.name, dirs_exist_ok=True)
    root = copy_sample(indexed / "sample")
    take_refreshes(lsp_client)
    answer = await lsp_client.initialize_session(
        t.InitializeParams(
            capabilities=client_capabilities(name),
            root_uri=root.as_uri(),
            workspace_folders=[t.WorkspaceFolder(root.as_uri(), "sample")],
        )
    )
    chosen = answer.capabilities.position_encoding
    editor = Editor(lsp_client, root, "utf-16" if chosen is None else str(chosen))
    lsp_client.editor = editor  # type: ignore[attr-defined]
    lsp_client.text_document_did_open(
        t.DidOpenTextDocumentParams(t.TextDocumentItem(editor.uri, "markdown", 1, editor.text))
    )
    await diagnosed(lsp_client, editor.uri, "missing-among-held")
    assert editor.encoding == ENCODINGS[name]
    yield
    await lsp_client.shutdown_session()


@pytest.fixture
def editor(client: LanguageClient) -> Editor:
    found: Editor = client.editor  # type: ignore[attr-defined]
    return found


async def test_diagnostics_stand_under_the_citation(client: LanguageClient, editor: Editor) -> None:
    await diagnosed(client, editor.uri, "pinpoint-not-found")
    found = {each.code: each for each in client.diagnostics[editor.uri]}
    assert set(found) == {"misquotation", "missing-among-held", "pinpoint-not-found"}
    assert editor.words(found["misquotation"].range) == "never"
    assert editor.words(found["missing-among-held"].range) == "[2013] ACA 77"
    assert "is not in your library" in found["missing-among-held"].message
    assert editor.words(found["pinpoint-not-found"].range) == "41"
    assert all(each.source == "lexls" for each in client.diagnostics[editor.uri])


async def test_hover_shows_the_authority_and_the_pinpoint(client: LanguageClient, editor: Editor) -> None:
    answer = await within(
        client.text_document_hover_async(t.HoverParams(editor.document, editor.position(CARROW, 3)))
    )
    shown = answer.contents.value
    assert "Carrow Shipping Ltd v Meridian Grain Traders Ltd" in shown
    assert "Supreme Court of Aldmoor" in shown
    assert "(2014) 2 AldLR 88" in shown
    assert "a breach of the contract of carriage and no more" in shown
    assert "Cited by 1 document of your library" in shown
    assert CARROW in editor.words(answer.range)


async def test_hover_is_quiet_on_a_heading(client: LanguageClient, editor: Editor) -> None:
    position = editor.position("Claimant’s skeleton argument", 12)
    assert await within(client.text_document_hover_async(t.HoverParams(editor.document, position))) is None


async def test_definition_opens_the_paragraph(client: LanguageClient, editor: Editor) -> None:
    (link,) = await within(
        client.text_document_definition_async(t.DefinitionParams(editor.document, editor.position(CARROW, 3)))
    )
    uri = link.target_uri if isinstance(link, t.LocationLink) else link.uri
    range_ = link.target_selection_range if isinstance(link, t.LocationLink) else link.range
    path = editor.root / "library/cases/2014-ASC-12-carrow-v-meridian.md"
    assert uri == path.as_uri()
    words = editor.words(range_, path.read_text(encoding="utf-8"))
    assert words.lstrip().startswith("[23] I would hold that an unjustified deviation")


async def test_references_are_found_in_drafts_and_authorities(client: LanguageClient, editor: Editor) -> None:
    found = await within(
        client.text_document_references_async(
            t.ReferenceParams(
                t.ReferenceContext(include_declaration=True),
                editor.document,
                editor.position("(1968) 1 AldLR 301", 2),
            )
        )
    )
    files = {Path(each.uri).name for each in found}
    assert {"skeleton-argument.md", "2014-ASC-12-carrow-v-meridian.md"} <= files
    own = [editor.words(each.range) for each in found if each.uri == editor.uri]
    assert own
    assert all("Orrin" in words or "AldLR" in words for words in own)


async def test_completion_writes_the_citation_as_the_draft_does(
    client: LanguageClient, editor: Editor
) -> None:
    opening = "is within the section: see Carr"
    answer = await within(
        client.text_document_completion_async(
            t.CompletionParams(editor.document, editor.position(opening, len(opening)))
        )
    )
    item = answer.items[0]
    assert "Carrow Shipping Ltd v Meridian Grain Traders Ltd" in item.label
    assert editor.words(item.text_edit.range) == "Carr"
    assert "*Carrow Shipping Ltd v Meridian Grain Traders Ltd* [2014] ASC 12" in item.text_edit.new_text
    assert item.text_edit.new_text.endswith(
        "ASC 12"
    )  # neither editor has told lexls that it rewrites what is typed
    resolved = await within(client.completion_item_resolve_async(item))
    shown = resolved.documentation
    assert "Supreme Court of Aldmoor" in (shown if isinstance(shown, str) else shown.value)


async def test_nothing_is_searched_for_a_bulb(client: LanguageClient, editor: Editor) -> None:
    position = editor.position(UNSUPPORTED, 4)
    actions = await within(
        client.text_document_code_action_async(
            t.CodeActionParams(
                editor.document,
                t.Range(position, position),
                t.CodeActionContext([], trigger_kind=t.CodeActionTriggerKind.Automatic),
            )
        )
    )
    assert [action.title for action in actions] == ["Find supporting authority…", "More…"]


async def test_the_command_gives_the_list(client: LanguageClient, editor: Editor) -> None:
    position = editor.position(UNSUPPORTED, 4)
    place = {"line": position.line, "character": position.character}
    hits = await within(
        client.workspace_execute_command_async(
            t.ExecuteCommandParams(
                "lexls.findSupport", [{"uri": editor.uri, "range": {"start": place, "end": place}}]
            )
        )
    )
    best = hits[0]
    assert best["title"] == "Marlowe Dredging Ltd v Skerrin District Council"
    assert best["citation"] == "[2012] ACA 26"
    assert best["paragraph"] == "13"
    assert best["path"] == "cases/2012-ACA-26-marlowe-dredging-v-skerrin.md"
    assert best["rank"] == 1
    assert best["target"]["uri"].endswith("2012-ACA-26-marlowe-dredging-v-skerrin.md")


async def test_an_explanation_is_verbatim(client: LanguageClient, editor: Editor) -> None:
    position = editor.position(CARROW, 3)
    answer = await within(
        client.workspace_execute_command_async(
            t.ExecuteCommandParams(
                "lexls.explain",
                [{"uri": editor.uri, "position": {"line": position.line, "character": position.character}}],
            )
        )
    )
    assert "Carrow Shipping" in answer["markdown"]
    assert len(answer["statements"]) >= 1
    for statement in answer["statements"]:
        text = Path(statement["target"]["uri"].removeprefix("file://")).read_text(encoding="utf-8")
        assert statement["text"] in text
    assert answer["statements"][0]["paragraph"] == "23"


async def test_a_wrong_argument_is_an_error(client: LanguageClient) -> None:
    for arguments in ([], ["text"], [{"uri": "file:///x.md"}], [{"range": {}}]):
        with pytest.raises(Exception, match="argument"):
            await within(
                client.workspace_execute_command_async(t.ExecuteCommandParams("lexls.findSupport", arguments))
            )


async def test_status_describes_the_library(client: LanguageClient, editor: Editor) -> None:
    status = await within(client.workspace_execute_command_async(t.ExecuteCommandParams("lexls.status")))
    (library,) = status["libraries"]
    assert library["documents"] == 33
    assert library["failed"] == []
    assert library["folders"] == [str(editor.root / "library")]


async def test_links_lead_to_the_authorities(client: LanguageClient, editor: Editor) -> None:
    links = await within(client.text_document_document_link_async(t.DocumentLinkParams(editor.document)))
    (link,) = [each for each in links if editor.words(each.range) == "(1987) 4 AldLR 212"][:1]
    resolved = await within(client.document_link_resolve_async(link))
    assert "thornbury" in resolved.target


async def test_symbols_outline_the_draft(client: LanguageClient, editor: Editor) -> None:
    (top,) = await within(client.text_document_document_symbol_async(t.DocumentSymbolParams(editor.document)))
    assert top.name == "Claimant’s skeleton argument"
    names = {child.name for section in top.children for child in section.children}
    assert "Orrin Grain Co v Pell Line Ltd" in names


async def test_workspace_symbols_find_authorities(client: LanguageClient) -> None:
    found = await within(client.workspace_symbol_async(t.WorkspaceSymbolParams("marlowe")))
    assert "Marlowe" in found[0].name
    assert found[0].location.uri.endswith("2012-ACA-26-marlowe-dredging-v-skerrin.md")


async def test_typing_is_followed(client: LanguageClient, editor: Editor) -> None:
    """A character outside the BMP, then a citation: positions after it stay right in every encoding."""
    old = editor.text
    try:
        insert = "𝔄 § “See” [2014] ASC 12 at [64].\n\n"
        origin = t.Position(0, 0)
        client.text_document_did_change(
            t.DidChangeTextDocumentParams(
                t.VersionedTextDocumentIdentifier(2, editor.uri),
                [t.TextDocumentContentChangePartial(t.Range(origin, origin), insert)],
            )
        )
        editor.text = insert + old
        editor.lines = LineIndex(editor.text)

        async def wait() -> None:
            while not any("64" in each.message for each in client.diagnostics[editor.uri]):
                await client.wait_for_notification(t.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)

        await within(wait())
        (finding,) = [each for each in client.diagnostics[editor.uri] if "64" in each.message]
        assert editor.words(finding.range) == "64"
    finally:
        client.text_document_did_change(
            t.DidChangeTextDocumentParams(
                t.VersionedTextDocumentIdentifier(3, editor.uri),
                [t.TextDocumentContentChangeWholeDocument(old)],
            )
        )
        editor.text, editor.lines = old, LineIndex(old)
