"""Show a session with lexls as a user would see it: `make demo`, or `python examples/demo.py`.

It fetches the embedding model, indexes the sample library, starts `lexls serve`, opens the sample drafts and
prints what an editor without a client for lexls shows. A small language model then answers the questions that
the library's own words answered before. A section that needs a network or more time than there is says why it
was skipped. A section under which lexls shows nothing makes the demo fail.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import re
import shutil
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient
from pygls.protocol import default_converter
from pygls.uris import to_fs_path

from lexls.models.gguf_files import NO_RUNTIME
from lexls.models.llama_runtime import find_runtime

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
INDEX = ROOT / ".cache" / "demo" / "index.sqlite3"
BRIEF = HERE / "drafts" / "skeleton-argument.md"
MEMORANDUM = HERE / "drafts" / "memorandum.tex"
MODELS = ROOT / ".cache" / "models"
MODEL = "smollm2-135m-instruct"
FETCH = (
    "import sys\n"
    "from pathlib import Path\n"
    "from lexls.models.adding import NotAdded, Wanted, add_model\n"
    "try: add_model(Wanted(sys.argv[1]), lambda *progress: None, print, Path(sys.argv[2]))\n"
    "except NotAdded as error: sys.exit(str(error))\n"
)
QUESTIONS = (
    "When does a sum payable on breach become a penalty?",
    "When is a fact deliberately concealed?",
)
INDENT = "    "
PATIENCE = 60.0
MODEL_PATIENCE = 150.0
QUIET = 1.0
WIDTH = max(60, min(100, shutil.get_terminal_size((100, 24)).columns))
BOLD, DIM, LINK, PLAIN = ("\033[1m", "\033[2m", "\033[4m", "\033[0m") if sys.stdout.isatty() else [""] * 4


class Page:
    """Prints the session in sections and remembers those under which something is missing."""

    def __init__(self) -> None:
        self.missing: list[str] = []
        self._title, self._shown = "", True

    def section(self, title: str) -> None:
        """End the last section and print the heading of the next one."""
        if not self._shown:
            self.show("")
        self._title, self._shown = title, False
        print(f"\n{BOLD}{title}{PLAIN}\n{'─' * WIDTH}", flush=True)

    def show(self, text: str, limit: int = 24) -> None:
        """Print text at the terminal's width, at most ``limit`` lines of it; no text counts as missing."""
        self._shown = True
        if not text.strip():
            self.missing.append(self._title)
            text = "(nothing)"
        lines: list[str] = []
        for line in text.strip().splitlines():
            mark = "│ " if line.startswith("│") else "  " if line[:2] in ("• ", "- ") else ""
            lines += textwrap.wrap(
                line, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT + mark, break_on_hyphens=False
            ) or [""]
        for line in lines[:limit]:
            print(line)
        if len(lines) > limit:
            print(f"{INDENT}{DIM}… {len(lines) - limit} more lines{PLAIN}")
        sys.stdout.flush()

    def end(self) -> None:
        """Print how to go on; exit with an error that names each section under which something is missing."""
        self.section("Next steps")
        self.show("To try it yourself, open the examples/ folder in VS Code or Neovim. README.md says how.")
        if self.missing:
            sys.exit(f"The demo failed: nothing to show under {', '.join(dict.fromkeys(self.missing))}")


def lead(text: str) -> None:
    """Print a line that says what follows, and is nothing that lexls found."""
    print(f"  {BOLD}{text}{PLAIN}", flush=True)


def as_seen(markdown: str) -> str:
    """Markdown roughly as an editor draws it: bold, links underlined, no escapes."""
    text = re.sub(r"(?<!\\)\[((?:\\.|[^\]\\])*)\]\(<?[^)>]*>?\)", rf"{LINK}\1{PLAIN}", markdown)
    text = re.sub(r"\*\*(.+?)\*\*", rf"{BOLD}\1{PLAIN}", text)
    text = re.sub(r"\\$", "", text, flags=re.MULTILINE)
    text = re.sub(r"^_(.*)_$", r"\1", text, flags=re.MULTILINE)
    text = re.sub(r"^> ?", "│ ", text, flags=re.MULTILINE)
    return re.sub(r"\\([\W_])", r"\1", text)


def as_inserted(snippet: str) -> str:
    """A snippet as it looks when it is inserted, its stops in angle quotation marks."""
    text = re.sub(r"\$\{\d+:((?:\\.|[^}\\])*)\}", r"‹\1›", snippet)
    text = re.sub(r"\$\{?\d+\}?", "", text)
    return re.sub(r"\\([\\$}])", r"\1", text)


def show_place(source: str, position: lsp.Position) -> None:
    """Print the draft around a position, with a mark under it."""
    line = source.split("\n")[position.line].rstrip("\r")
    start = max(0, position.character - WIDTH // 2)
    piece = line[start : start + WIDTH - 8]
    cut, rest = "…" if start else "", "…" if start + len(piece) < len(line) else ""
    print(f"  {DIM}{position.line + 1:3}{PLAIN} {cut}{piece.rstrip()}{rest}")
    print(" " * (6 + len(cut) + position.character - start) + f"{BOLD}^{PLAIN}", flush=True)


def lexls(*arguments: str, timeout: float) -> subprocess.CompletedProcess[str]:
    """Run a command of lexls in this Python."""
    command = [sys.executable, "-m", "lexls", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", timeout=timeout, cwd=ROOT
    )


def prepare(page: Page) -> None:
    """Fetch the embedding model and index the sample library; show the outcome of each."""
    page.section("lexls models get")
    skipped = "Skipped: the embedding model could not be fetched, so this session searches by keywords."
    try:
        done = lexls("models", "get", timeout=150)
        # The last line of a failure sums up those before it.
        reasons = "\n".join(done.stderr.splitlines()[:-1])
        page.show(done.stdout if done.returncode == 0 else f"{reasons}\n{skipped}")
    except subprocess.TimeoutExpired:
        page.show(skipped)

    page.section("lexls index examples/library")
    done = lexls("index", str(HERE / "library"), "--index", str(INDEX), "--json", timeout=240)
    if done.returncode != 0:
        sys.exit(done.stderr or done.stdout)
    report = json.loads(done.stdout)
    unread = f" {len(report['failed'])} files could not be read." if report["failed"] else ""
    made = f"{report['documents']} authorities, {report['passages']} passages"
    page.show(f"{made} in {report['seconds']:.1f} s.{unread}")


def get_model(page: Page) -> Path | None:
    """Return the file of the smallest language model, fetched if need be; show why if there is none."""
    page.section(f"lexls models add {MODEL}")
    if not find_runtime():
        page.show(f"Skipped: {NO_RUNTIME}")
        return None
    file = MODELS / f"{MODEL}.gguf"
    if not file.is_file():
        try:
            command = [sys.executable, "-c", FETCH, MODEL, str(MODELS)]
            done = subprocess.run(
                command, capture_output=True, text=True, encoding="utf-8", timeout=150, cwd=ROOT
            )
        except subprocess.TimeoutExpired:
            page.show("Skipped: the download took too long. The next run continues it.")
            return None
        if done.returncode != 0:
            page.show(f"Skipped: {done.stderr.strip().splitlines()[-1]}")
            return None
    page.show(f"{file.relative_to(ROOT)}: {file.stat().st_size / 1e6:.0f} MB")
    return file


class Editor:
    """An editor without a client for lexls: it opens drafts, asks the server and answers its requests."""

    def __init__(self, page: Page, settings: dict[str, Any] | None = None) -> None:
        self.page = page
        self.client = LanguageClient("lexls-demo", "1", converter_factory=_make_converter)
        self.sources: dict[str, str] = {}
        self.diagnostics: dict[str, list[lsp.Diagnostic]] = {}
        self.published = asyncio.Condition()
        self.applied: asyncio.Queue[lsp.WorkspaceEdit] = asyncio.Queue()
        self.settings = {"index": {"path": str(INDEX)}} | (settings or {})
        client = self.client

        @client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        async def on_diagnostics(params: lsp.PublishDiagnosticsParams) -> None:
            async with self.published:
                self.diagnostics[params.uri] = list(params.diagnostics)
                self.published.notify_all()

        @client.feature(lsp.WORKSPACE_CONFIGURATION)
        def on_configuration(params: lsp.ConfigurationParams) -> list[Any]:
            return [self.settings for _ in params.items]

        @client.feature(lsp.CLIENT_REGISTER_CAPABILITY)
        def on_register(params: lsp.RegistrationParams) -> None:
            return None

        @client.feature(lsp.WINDOW_WORK_DONE_PROGRESS_CREATE)
        def on_progress_create(params: lsp.WorkDoneProgressCreateParams) -> None:
            return None

        @client.feature(lsp.PROGRESS)
        def on_progress(params: lsp.ProgressParams) -> None:
            return None

        @client.feature(lsp.WINDOW_LOG_MESSAGE)
        def on_log(params: lsp.LogMessageParams) -> None:
            return None

        @client.feature(lsp.WINDOW_SHOW_MESSAGE)
        def on_message(params: lsp.ShowMessageParams) -> None:
            lead(params.message)

        @client.feature(lsp.WINDOW_SHOW_MESSAGE_REQUEST)
        def on_choice(params: lsp.ShowMessageRequestParams) -> lsp.MessageActionItem | None:
            lead(params.message)
            for each in params.actions or ():
                page.show(f"• {each.title}", limit=3)
            return params.actions[0] if params.actions else None

        @client.feature(lsp.WORKSPACE_APPLY_EDIT)
        def on_edit(params: lsp.ApplyWorkspaceEditParams) -> lsp.ApplyWorkspaceEditResult:
            self.applied.put_nowait(params.edit)
            return lsp.ApplyWorkspaceEditResult(applied=True)

    async def start(self) -> float:
        """Start the server; return the seconds until it answered ``initialize``."""
        started = time.perf_counter()
        await self.client.start_io(sys.executable, "-m", "lexls", "serve")
        await self.ask(
            self.client.initialize_async(
                lsp.InitializeParams(
                    capabilities=_capabilities(),
                    workspace_folders=[lsp.WorkspaceFolder(uri=HERE.as_uri(), name="examples")],
                    root_uri=HERE.as_uri(),
                    initialization_options=self.settings,
                )
            )
        )
        seconds = time.perf_counter() - started
        self.client.initialized(lsp.InitializedParams())
        return seconds

    async def ask(self, answer: Any, patience: float = PATIENCE) -> Any:
        """Wait for an answer of the server; return None if it takes longer than ``patience`` seconds."""
        with contextlib.suppress(TimeoutError):
            return await asyncio.wait_for(answer, patience)

    async def open(self, path: Path, language: str) -> str:
        """Open a draft, wait for its diagnostics and return its URI."""
        uri = path.as_uri()
        self.sources[uri] = path.read_text(encoding="utf-8")
        item = lsp.TextDocumentItem(uri=uri, language_id=language, version=1, text=self.sources[uri])
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(text_document=item))

        async def published() -> None:
            async with self.published:
                await self.published.wait_for(lambda: bool(self.diagnostics.get(uri)))

        await self.ask(published())
        with contextlib.suppress(TimeoutError):  # the checks that search the library come later
            while True:
                await asyncio.wait_for(self._next_publication(), QUIET)
        return uri

    async def _next_publication(self) -> None:
        async with self.published:
            await self.published.wait()

    def position(self, uri: str, before: str, at: str = "") -> lsp.Position:
        """Return the end of the first ``before`` in a draft, or the first ``at`` from its start on."""
        source = self.sources[uri]
        offset = source.index(before) + len(before)
        if at:
            offset = source.index(at, offset - len(before))
        line = source.count("\n", 0, offset)
        # The client asked for UTF-32, so that characters are code points.
        return lsp.Position(line, offset - (source.rfind("\n", 0, offset) + 1))

    async def hover(self, uri: str, position: lsp.Position) -> None:
        """Show the text of a hover."""
        show_place(self.sources[uri], position)
        params = lsp.HoverParams(lsp.TextDocumentIdentifier(uri), position)
        found = await self.ask(self.client.text_document_hover_async(params))
        contents = found.contents if found else None
        self.page.show(as_seen(contents.value) if isinstance(contents, lsp.MarkupContent) else "")

    async def complete(self, uri: str, position: lsp.Position) -> None:
        """Show the first completions and what the best one inserts."""
        show_place(self.sources[uri], position)
        params = lsp.CompletionParams(lsp.TextDocumentIdentifier(uri), position)
        found = await self.ask(self.client.text_document_completion_async(params))
        items = found.items if isinstance(found, lsp.CompletionList) else (found or [])
        for item in items[:5]:
            details = item.label_details
            beside = (details.description or details.detail or "") if details else ""
            self.page.show(f"{item.label}  {DIM}{beside or item.detail or ''}{PLAIN}", limit=2)
        if items:
            item = await self.ask(self.client.completion_item_resolve_async(items[0]))
            text = item.text_edit.new_text if item.text_edit else (item.insert_text or item.label)
            lead("The first one inserts")
            self.page.show(as_inserted(text))

    async def find_support(self, uri: str, position: lsp.Position) -> None:
        """Run "Find supporting authority…" from the menu and choose the first authority of the list."""
        show_place(self.sources[uri], position)
        params = lsp.CodeActionParams(
            lsp.TextDocumentIdentifier(uri), lsp.Range(position, position), lsp.CodeActionContext([])
        )
        for action in await self.ask(self.client.text_document_code_action_async(params)) or ():
            command = action.command if isinstance(action, lsp.CodeAction) else None
            if command is None or command.command != "lexls.findSupport":
                continue
            chosen = lsp.ExecuteCommandParams(command.command, command.arguments)
            if not await self.ask(self.client.workspace_execute_command_async(chosen)):
                continue
            edits = _edits(await self.ask(self.applied.get()))
            lead("The first one inserts")
            self.page.show("\n".join(edit.new_text for edit in edits))

    async def definition(self, uri: str, position: lsp.Position) -> None:
        """Show the place that "go to definition" opens."""
        show_place(self.sources[uri], position)
        params = lsp.DefinitionParams(lsp.TextDocumentIdentifier(uri), position)
        found = await self.ask(self.client.text_document_definition_async(params))
        for target in found if isinstance(found, list) else [found] if found else []:
            if isinstance(target, lsp.LocationLink):
                place, line = target.target_uri, target.target_selection_range.start.line
            else:
                place, line = target.uri, target.range.start.line
            lead(f"Opens {place.rpartition('/')[2]} at line {line + 1}")
            text = Path(to_fs_path(place) or "").read_text(encoding="utf-8-sig").split("\n")
            self.page.show("│ " + text[line] if line < len(text) else "", limit=4)

    async def explain(self, uri: str, position: lsp.Position) -> None:
        """Show the explanation of a citation."""
        show_place(self.sources[uri], position)
        at = {"line": position.line, "character": position.character}
        params = lsp.ExecuteCommandParams("lexls.explain", [{"uri": uri, "position": at}])
        found = await self.ask(self.client.workspace_execute_command_async(params))
        self.page.show(as_seen(str(_field(found, "markdown") or "")), limit=40)

    async def ask_library(self, question: str, patience: float = PATIENCE) -> None:
        """Show a question and the library's answer."""
        lead(question)
        params = lsp.ExecuteCommandParams("lexls.ask", [{"question": question, "show": False}])
        found = await self.ask(self.client.workspace_execute_command_async(params), patience)
        self.page.show(as_seen(str(_field(found, "markdown") or "")), limit=40)

    async def stop(self) -> None:
        """Shut the server down."""
        await self.ask(self.client.shutdown_async(None))
        self.client.exit(None)
        await self.client.stop()

    def show_diagnostics(self, uri: str) -> None:
        """Show the diagnostics of a draft in the order of its text."""
        found = self.diagnostics.get(uri, [])
        lines = []
        for each in sorted(found, key=lambda each: (each.range.start.line, each.range.start.character)):
            level = each.severity.name.lower() if each.severity else ""
            where = f"{uri.rpartition('/')[2]}:{each.range.start.line + 1}:{each.range.start.character + 1}"
            lines.append(f"{where}: {level}: {each.message} [{each.code}]")
        self.page.show("\n".join(lines))


def _make_converter() -> Any:
    """Return pygls' converter, mended: it reads a code action that runs a command as that command."""

    def read(found: Any, _: Any) -> lsp.Command | lsp.CodeAction:
        bare = isinstance(found.get("command"), str)
        return converter.structure(found, lsp.Command if bare else lsp.CodeAction)

    converter = default_converter()
    converter.register_structure_hook(lsp.Command | lsp.CodeAction, read)
    return converter


def _capabilities() -> lsp.ClientCapabilities:
    resolve = lsp.ClientCodeActionResolveOptions(properties=["edit"])
    kinds = lsp.ClientCodeActionKindOptions(
        value_set=[lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.Refactor]
    )
    item = lsp.ClientCompletionItemOptions(
        snippet_support=True,
        label_details_support=True,
        documentation_format=[lsp.MarkupKind.Markdown],
        resolve_support=lsp.ClientCompletionItemResolveOptions(properties=["documentation"]),
    )
    return lsp.ClientCapabilities(
        general=lsp.GeneralClientCapabilities(position_encodings=[lsp.PositionEncodingKind.Utf32]),
        workspace=lsp.WorkspaceClientCapabilities(configuration=True, workspace_folders=True),
        window=lsp.WindowClientCapabilities(work_done_progress=True),
        text_document=lsp.TextDocumentClientCapabilities(
            hover=lsp.HoverClientCapabilities(content_format=[lsp.MarkupKind.Markdown]),
            completion=lsp.CompletionClientCapabilities(completion_item=item),
            definition=lsp.DefinitionClientCapabilities(link_support=True),
            publish_diagnostics=lsp.PublishDiagnosticsClientCapabilities(),
            code_action=lsp.CodeActionClientCapabilities(
                resolve_support=resolve,
                data_support=True,
                code_action_literal_support=lsp.ClientCodeActionLiteralOptions(code_action_kind=kinds),
            ),
        ),
    )


def _edits(edit: lsp.WorkspaceEdit | None) -> list[lsp.TextEdit]:
    if edit is None:
        return []
    found: list[Any] = [each for edits in (edit.changes or {}).values() for each in edits]
    for change in edit.document_changes or []:
        if isinstance(change, lsp.TextDocumentEdit):
            found += change.edits
    return [each for each in found if hasattr(each, "new_text")]


def _field(data: Any, name: str) -> Any:
    """Return a field of a command's answer, which pygls gives as a mapping or as an object."""
    return data.get(name) if isinstance(data, dict) else getattr(data, name, None)


async def session(page: Page, settings: dict[str, Any] | None = None) -> None:
    """Show each feature in the sample drafts."""
    editor = Editor(page, settings)
    page.section("lexls serve")
    seconds = await editor.start()
    page.show(f"The server was ready after {seconds:.2f} s.")

    brief = await editor.open(BRIEF, "markdown")
    memorandum = await editor.open(MEMORANDUM, "latex")
    page.section("Diagnostics")
    editor.show_diagnostics(brief)
    editor.show_diagnostics(memorandum)

    page.section("Hover on a citation with a pinpoint")
    await editor.hover(brief, editor.position(brief, "Meridian Grain Traders Ltd* [2014] A"))
    page.section("Hover on a section of an Act")
    await editor.hover(brief, editor.position(brief, "Carriage of Goods Act 1994, s 12(3"))
    page.section("Hover on a sentence without a citation")
    await editor.hover(brief, editor.position(brief, "that duty overrides"))
    page.section("Completion of a case's name")
    await editor.complete(brief, editor.position(brief, "is within the section: see Carr"))
    page.section("Completion in LaTeX")
    await editor.complete(memorandum, editor.position(memorandum, "ordinarily be discharged: Toll"))
    page.section("Find supporting authority")
    await editor.find_support(brief, editor.position(brief, "that duty overrides"))
    page.section("Go to definition")
    await editor.definition(brief, editor.position(brief, "*Carrow* at [1", "4]"))
    page.section("Explain a citation")
    await editor.explain(brief, editor.position(brief, "Meridian Grain Traders Ltd* [2014] A"))
    page.section("Ask the library")
    for question in QUESTIONS:
        await editor.ask_library(question)
    await editor.stop()


async def session_with_model(page: Page, model: Path) -> None:
    """Ask the last questions again, with a language model that runs on this machine."""
    editor = Editor(page, {"explain": {"generator": "llama"}, "llama": {"model": str(model)}})
    await editor.start()
    await editor.open(BRIEF, "markdown")
    page.section("Ask the library, with a language model of 135 million parameters")
    try:
        async with asyncio.timeout(MODEL_PATIENCE):
            for question in QUESTIONS:
                started = time.perf_counter()
                await editor.ask_library(question, MODEL_PATIENCE)
                page.show(f"{DIM}({time.perf_counter() - started:.0f} s){PLAIN}")
    except TimeoutError:
        page.show(f"Skipped: this takes more than {MODEL_PATIENCE:.0f} s on this machine.")
    await editor.stop()


def main() -> None:
    """Prepare and show the sessions; exit with an error if a section shows nothing."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8", errors="replace")
    logging.getLogger("pygls").setLevel(logging.CRITICAL)  # it logs each notification without a handler
    page = Page()
    prepare(page)
    model = get_model(page)
    asyncio.run(asyncio.wait_for(session(page), 240))
    if model is not None:
        asyncio.run(asyncio.wait_for(session_with_model(page, model), MODEL_PATIENCE + 90))
    page.end()


if __name__ == "__main__":
    main()
