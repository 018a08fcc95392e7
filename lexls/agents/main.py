"""Run ``lexls mcp``: the Model Context Protocol on standard input and output, without a socket.

It offers tools, prompts (from ``prompts.toml``), and resources for clients that attach documents:
authorities, papers of the record and their passages.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import re
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from typing import Any, TypeVar

from mcp import MCPError
from mcp import types as t
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from pydantic import BaseModel, ValidationError

from lexls import __version__
from lexls.agents.answer import Marks, name_cited, name_resource, quote, tell
from lexls.agents.asked import AgentTool
from lexls.agents.desk import Desk, Unanswerable
from lexls.index.milvus import MilvusUnavailable
from lexls.reading.record import see_record
from lexls.reading.snapshot import Snapshot
from lexls.server.server import SWITCH_SECONDS, WORKERS, find_fault
from lexls.server.sweeper import Sweeper
from lexls.text.cancel import Cancelled, CancelToken
from lexls.text.phrases import load_phrases

log = logging.getLogger(__name__)
T = TypeVar("T")
_Asked = ServerRequestContext[Any]

_NAMES = """library_status check_draft verify_citation verify_quotation find_support contrary_authority search
    read_passage"""
TOOLS: dict[str, AgentTool] = {
    name: import_module(f"lexls.agents.tools.{name}").TOOL for name in _NAMES.split()
}
"""The tools by name, in the order in which they are listed. Each tool's module has the same name."""
_READS_ONLY = t.ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


class AgentServer:
    """Answers agents' requests with the library of a desk. Requests run on threads; cancelling a request
    cancels its token.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._threads = ThreadPoolExecutor(WORKERS, thread_name_prefix="lexls-agent")
        self.server: Server[Any] = Server(
            "lexls",
            version=__version__,
            title="lexls",
            instructions=INSTRUCTIONS,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
            on_list_prompts=self._list_prompts,
            on_get_prompt=self._get_prompt,
        )
        self.server.middleware.clear()  # nothing receives its timing data

    async def _list_tools(self, asked: _Asked, params: t.PaginatedRequestParams | None) -> t.ListToolsResult:
        return t.ListToolsResult(
            tools=[
                t.Tool(
                    name=each.name,
                    title=each.title,
                    description=each.description,
                    input_schema=describe_fields(each.asked),
                    output_schema=describe_fields(each.answered),
                    annotations=_READS_ONLY,
                )
                for each in TOOLS.values()
            ]
        )

    async def _call_tool(self, asked: _Asked, params: t.CallToolRequestParams) -> t.CallToolResult:
        tool = TOOLS.get(params.name)
        if tool is None:
            raise MCPError(t.INVALID_PARAMS, f"there is no tool {params.name[:80]}")
        try:
            arguments = tool.asked.model_validate(params.arguments or {})
        except ValidationError as error:
            faults = (
                "{}: {}".format(".".join(map(str, each["loc"])), each["msg"]) for each in error.errors()
            )
            return _refuse("; ".join(faults))

        def work(token: CancelToken) -> t.CallToolResult:
            answer = tool.answer(self._desk, arguments, token)
            written = t.TextContent(text=answer.write())
            return t.CallToolResult(content=[written], structured_content=answer.model_dump(mode="json"))

        try:
            return await self.run(work)
        except Unanswerable as error:
            return _refuse(str(error))

    async def _list_resources(
        self, asked: _Asked, params: t.PaginatedRequestParams | None
    ) -> t.ListResourcesResult:
        cursor = params.cursor if params is not None else None
        return await self._tell(lambda token: list_resources(self._desk, cursor, token))

    async def _list_templates(
        self, asked: _Asked, params: t.PaginatedRequestParams | None
    ) -> t.ListResourceTemplatesResult:
        return t.ListResourceTemplatesResult(resource_templates=list(TEMPLATES))

    async def _read_resource(
        self, asked: _Asked, params: t.ReadResourceRequestParams
    ) -> t.ReadResourceResult:
        return await self._tell(lambda token: read_resource(self._desk, str(params.uri), token))

    async def _list_prompts(
        self, asked: _Asked, params: t.PaginatedRequestParams | None
    ) -> t.ListPromptsResult:
        return list_prompts()

    async def _get_prompt(self, asked: _Asked, params: t.GetPromptRequestParams) -> t.GetPromptResult:
        return await self._tell(lambda token: fill_prompt(params.name, params.arguments or {}))

    async def _tell(self, work: Callable[[CancelToken], T]) -> T:
        try:
            return await self.run(work)
        except Unanswerable as error:
            raise MCPError(t.INVALID_PARAMS, str(error)) from None

    async def run(self, work: Callable[[CancelToken], T]) -> T:
        """Run ``work`` on a thread and return its result. Error messages do not quote the documents that it
        was working on.
        """
        token = CancelToken()
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work, token)
        except asyncio.CancelledError:
            token.cancel()
            raise
        except Unanswerable:
            raise
        except Cancelled:
            raise asyncio.CancelledError from None
        except MilvusUnavailable as error:
            raise Unanswerable(str(error)) from None
        except Exception as error:
            if reason := await asyncio.to_thread(self._desk.explain_failure, error):
                raise Unanswerable(reason) from None
            place = find_fault(error)
            log.error("%s at %s", type(error).__name__, place)
            raise MCPError(
                t.INTERNAL_ERROR, f"this is a fault of lexls ({type(error).__name__} at {place})"
            ) from None

    async def serve(self) -> None:
        """Serve one client until it disconnects."""
        async with stdio_server() as (reading, writing):
            await self.server.run(reading, writing, self.server.create_initialization_options())


def describe_fields(model: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON schema of a model without its description and without titles, which only repeat field
    names.
    """

    def strip(value: Any) -> Any:
        if isinstance(value, list):
            return [strip(each) for each in value]
        if not isinstance(value, dict):
            return value
        return {
            key: strip(each) for key, each in value.items() if key != "title" or not isinstance(each, str)
        }

    schema: dict[str, Any] = strip(model.model_json_schema())
    schema.pop("description", None)  # the tool has its own description
    return schema


def write_tools() -> str:
    """Return the tools as JSON, for the manifests of editors that offer them to their own models."""
    tools = [
        {
            "name": each.name,
            "title": each.title,
            "description": each.description,
            "schema": describe_fields(each.asked),
        }
        for each in TOOLS.values()
    ]
    return json.dumps(tools, indent=2, ensure_ascii=False) + "\n"


def _refuse(reason: str) -> t.CallToolResult:
    return t.CallToolResult(content=[t.TextContent(text=reason)], is_error=True)


def serve(desk: Desk) -> int:
    """Serve one client on standard input and output until it disconnects. Return the exit status."""
    # The SDK logs requests, and arguments with errors: these contain privileged text.
    logging.getLogger("mcp").setLevel(logging.CRITICAL + 1)
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="lexls: %(levelname)s: %(message)s")
    sys.setswitchinterval(SWITCH_SECONDS)
    Sweeper.begin()
    desk.start()
    try:
        with contextlib.suppress(BrokenPipeError, KeyboardInterrupt):
            asyncio.run(AgentServer(desk).serve())
    finally:
        desk.close()
    return 0


_PHRASES: Mapping[str, Any] = load_phrases(__package__, "prompts.toml")
INSTRUCTIONS = " ".join(_PHRASES["instructions"].split())
"""Instructions about lexls sent to every client for its model."""
_PROMPTS: Mapping[str, Any] = {name: each for name, each in _PHRASES.items() if name != "instructions"}


def list_prompts() -> t.ListPromptsResult:
    """Return the prompts with their arguments."""
    return t.ListPromptsResult(
        prompts=[
            t.Prompt(
                name=name,
                title=each["title"],
                description=each["description"],
                arguments=[t.PromptArgument(**one) for one in each["arguments"]],
            )
            for name, each in _PROMPTS.items()
        ]
    )


def fill_prompt(name: str, given: Mapping[str, str]) -> t.GetPromptResult:
    """Return a prompt filled with the user's arguments. Raises ``Unanswerable`` if there is no such prompt or
    a required argument is missing.
    """
    prompt = _PROMPTS.get(name)
    if prompt is None:
        raise Unanswerable(f"there is no such prompt; there are {', '.join(_PROMPTS)}")
    missing = [
        each["name"] for each in prompt["arguments"] if each["required"] and not given.get(each["name"])
    ]
    if missing:
        raise Unanswerable(f"the prompt {name} needs {', '.join(missing)}")
    path = given.get("path", "")
    how = f"with `path` {path}" if path else "with the draft of this conversation as `text`"
    text = prompt["text"].strip().replace("{how}", how).replace("{proposition}", given.get("proposition", ""))
    return t.GetPromptResult(
        description=prompt["description"],
        messages=[t.PromptMessage(role="user", content=t.TextContent(text=text))],
    )


PAGE = 200
"""Maximum number of authorities and papers listed per page."""
_LONGEST_READ = 400_000
"""Maximum length of a resource in code points."""
_RESOURCE = re.compile(r"lexls://(authority|record)/(\d{1,12})(?:/passage/(\d{1,12})-(\d{1,12}))?/?")

TEMPLATES = tuple(
    t.ResourceTemplate(
        name=name,
        title=title,
        uri_template=f"lexls://{address}",
        description=f"{what}, marked as a quotation.",
        mime_type="text/plain",
    )
    for name, title, address, what in (
        (
            "authority",
            "An authority of the library",
            "authority/{number}",
            "The whole text of an authority",
        ),
        (
            "passage",
            "A passage of an authority",
            "authority/{number}/passage/{start}-{end}",
            "A range of an authority's text, in code points",
        ),
        (
            "paper",
            "A paper of the record",
            "record/{number}",
            "The whole text of an exhibit, a pleading or a transcript",
        ),
        (
            "paper-passage",
            "A passage of a paper of the record",
            "record/{number}/passage/{start}-{end}",
            "A range of a paper's text, in code points",
        ),
    )
)


def list_resources(desk: Desk, cursor: str | None, token: CancelToken) -> t.ListResourcesResult:
    """Return a page of the list of resources: the authorities, then the papers, each sorted by name. Raises
    ``Unanswerable`` and ``Cancelled``.
    """
    snapshot = desk.snapshot(token)
    first = int(cursor) if cursor is not None and re.fullmatch(r"\d{1,9}", cursor) else 0
    libraries = [each.library for each in (snapshot, see_record(snapshot)) if each is not None]
    known = [
        each
        for library in libraries
        for each in sorted(library.catalogue.all(), key=lambda each: (each.name.casefold(), each.id))
    ]
    return t.ListResourcesResult(
        resources=[
            t.Resource(
                name=str(each.id),
                title=name_cited(each),
                uri=name_resource(each),
                description=tell(each.relative),
                mime_type="text/plain",
            )
            for each in known[first : first + PAGE]
        ],
        next_cursor=str(first + PAGE) if first + PAGE < len(known) else None,
    )


def read_resource(desk: Desk, uri: str, token: CancelToken) -> t.ReadResourceResult:
    """Return the text of a resource, marked as a quotation. Raises ``Unanswerable`` and ``Cancelled``."""
    named = _RESOURCE.fullmatch(uri)
    snapshot: Snapshot | None = desk.snapshot(token)
    if named is not None and snapshot is not None and named[1] == "record":
        snapshot = see_record(snapshot)
    authority = snapshot.library.catalogue.get(int(named[2])) if named is not None and snapshot else None
    if named is None or snapshot is None or authority is None:
        raise Unanswerable(
            "no authority of the library has this address, and no paper of the record; its file may have "
            "changed since"
        )
    length = len(snapshot.library.contents.text(authority.id))
    start = min(int(named[3] or 0), length)
    asked = min(int(named[4] or length), length)
    end = min(asked, start + _LONGEST_READ)
    words = quote(snapshot, authority, start, max(start, end))
    marks = Marks()
    head = f"What stands between lines with the sign {marks.sign} is quoted from a document."
    text = f"{head}\n{marks.mark(words)}"
    if end < asked:
        text += f"\nThe text goes on at {end} of {length}: {name_resource(authority, end, asked)}"
    return t.ReadResourceResult(contents=[t.TextResourceContents(uri=uri, mime_type="text/plain", text=text)])
