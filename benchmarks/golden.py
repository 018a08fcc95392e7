"""Freeze everything lexls says about a set of drafts, and compare two frozen outputs.

    python benchmarks/golden.py draw WORK ../shared
    python benchmarks/golden.py freeze WORK OLD
    python benchmarks/golden.py freeze WORK NEW --only sample --only streamlocker
    python benchmarks/golden.py compare OLD NEW --examples 5

``draw`` lays out matters with their drafts in WORK/matters: the sample, its slips, the StreamLocker brief,
published judgments beside the library they were taken from, and altered paragraphs of the alteration
benchmark. Run it once. Every version that is compared must read the same drafts, so copy them rather than
draw them again. Only judgments and drafts that may be looked at are drawn, never those of an unseen part.

``freeze`` asks the version of lexls that this Python imports, by the faces users have: ``lexls check --json``
with and without ``--strict``, the report page, hovers and inlay hints of ``lexls serve``, and the tools
``check_draft`` and ``verify_citation`` of ``lexls mcp``. Hovers and tools are asked only for some drafts of
each matter. It writes one JSON file per draft. Paths, identifiers and dates are normalised. Searches use
words alone, without a model. Indexes are kept in ``--indexes`` (WORK/index), and an index that another
version made is updated in place: give each version that reads documents differently its own folder.

``compare`` prints differences grouped by kind, each with its number and the first examples, and exits with 1
if there are any.
"""

from __future__ import annotations

import argparse
import asyncio
import difflib
import hashlib
import html
import json
import logging
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import quote

from mcp import Client, StdioServerParameters, stdio_client
from served import Server

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
LEXLS = (sys.executable, "-P", "-m", "lexls")
JUDGMENTS = 100
"""Maximum number of judgments drawn per library."""
ASKED = 10
"""Number of judgments per library whose hovers and tool answers are frozen too."""
ALTERED_DRAFTS = 40
"""Maximum number of drafts per library that are searched for places to alter."""
HOLDINGS = 8
"""Number of holdings per library that ``verify_citation`` judges, each as it stands and altered."""
VERIFIED = 20
"""Maximum number of citations per draft given to ``verify_citation``."""
PATIENCE = 300.0
"""Seconds to wait for an answer, or for the library to be ready."""
LANGUAGES = {".md": "markdown", ".tex": "latex", ".typ": "typst", ".txt": "plaintext"}
"""Language identifiers of the drafts an editor can open, by suffix."""


@dataclass(frozen=True, slots=True)
class Matter:
    """Drafts that share a workspace folder, relative to the folder of all matters.

    ``drafts`` and ``asked`` are relative to the workspace; ``asked`` are those whose hovers and tool answers
    are frozen. ``holdings`` are pairs of a citation and a proposition. Its index has the matter's name, or
    ``index``. ``shared`` is the folder that its library comes from.
    """

    name: str
    workspace: str
    drafts: Sequence[str]
    asked: Sequence[str] = ()
    holdings: Sequence[Sequence[str]] = ()
    index: str = ""
    shared: str = ""


# -- drawing drafts ------------------------------------------------------------------------------------------


def draw(work: Path, shared: Path) -> list[Matter]:
    """Lay out all matters below ``work`` and return them."""
    folder = work / "matters"
    folder.mkdir(parents=True)
    shutil.copytree(EXAMPLES, folder / "sample")
    subprocess.run([shared / "matters/streamlocker/lay-out", folder / "streamlocker"], check=True)
    sample, slips = (_list_drafts(folder / "sample" / each) for each in ("drafts", "slips"))
    own = [f"drafts/{each}" for each in sample]
    cases, code, indian = (shared / "data" / each for each in ("us-cases", "us-code", "in-cases"))
    return [
        Matter("sample", "sample", own, own),
        Matter("slips", "sample/slips", slips, slips),
        Matter("streamlocker", "streamlocker", ["brief.md"], ["brief.md"]),
        *_draw_judgments(folder, shared),
        _draw_altered(folder, "altered-sample", [EXAMPLES], "Aldmoor", None, 1),
        _draw_altered(folder, "altered-us", [cases, code], "US", work / "index" / "us.sqlite3", 3),
        _draw_altered(folder, "altered-in", [indian], "IN", work / "index" / "in-cases.sqlite3", 3),
    ]


def _list_drafts(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir() if each.suffix in LANGUAGES)


def _draw_judgments(folder: Path, shared: Path) -> Iterator[Matter]:
    """One matter for each library of published judgments, its drafts chosen by a hash of their names."""
    from bench_published import SAMPLE, SETS
    from bench_published import draw as draw_published

    for name in dict.fromkeys(each.name for each in SETS):
        sets = [each for each in SETS if each.name == name]
        workspace = folder / name
        _write_settings(workspace, sets[0].jurisdiction, [shared / each for each in sets[0].folders])
        files = [path for each in sets for path in draw_published(each, shared, 20 * SAMPLE, "seen")]
        files.sort(key=lambda path: hashlib.sha256(f"order{path.name}".encode()).digest())
        drafts = [_copy_judgment(path, workspace / "drafts") for path in files[:JUDGMENTS]]
        readable = [f"drafts/{each}" for each in drafts if Path(each).suffix in LANGUAGES]
        yield Matter(name, name, [f"drafts/{each}" for each in drafts], readable[:ASKED])


def _write_settings(workspace: Path, jurisdiction: str, folders: Sequence[Path]) -> None:
    (workspace / "drafts").mkdir(parents=True)
    listed = ", ".join(json.dumps(str(each)) for each in folders)
    settings = f"jurisdiction = {json.dumps(jurisdiction)}\n\n[library]\nfolders = [{listed}]\n"
    (workspace / "lexls.toml").write_text(settings, encoding="utf-8")


def _copy_judgment(path: Path, folder: Path) -> str:
    """Copy a judgment as a draft and return its name: Word as it is, the text of anything else."""
    from bench_published import _FRONT_MATTER

    if path.suffix == ".docx":
        shutil.copyfile(path, folder / path.name)
        return path.name
    if path.suffix in LANGUAGES:
        name, text = path.name, _FRONT_MATTER.sub("", path.read_text(encoding="utf-8", errors="replace"))
    else:
        read = subprocess.run([*LEXLS, "read", "--json", path], capture_output=True, check=True)
        name, text = f"{path.stem}.txt", json.loads(read.stdout)["text"]
    _write_text(folder / name, text)
    return name


def _write_text(path: Path, text: str) -> None:
    """Write a draft whose only line breaks are newlines, so that offsets and lines agree everywhere."""
    path.write_text(re.sub(r"\r\n?", "\n", text), encoding="utf-8", newline="")


def _draw_altered(
    folder: Path, name: str, folders: Sequence[Path], jurisdiction: str, index: Path | None, wanted: int
) -> Matter:
    """Paragraphs altered in each way of the alteration benchmark, ``wanted`` times a kind.

    Each is a draft of its own. The first one of a kind stands in its whole draft, because some findings
    depend on what else a draft cites.
    """
    from bench_alterations import _KINDS, half_of
    from correct_drafts import SEED, Bench

    workspace = folder / name
    if (folders[0] / "lexls.toml").exists():
        shutil.copytree(folders[0] / "library", workspace / "library")
        shutil.copyfile(folders[0] / "lexls.toml", workspace / "lexls.toml")
        (workspace / "drafts").mkdir()
        suffix = ".md"
    else:
        _write_settings(workspace, jurisdiction, folders)
        suffix = ".txt"
    made: Counter[str] = Counter()
    holdings: list[tuple[str, str]] = []
    names: list[str] = []
    with tempfile.TemporaryDirectory() as scratch:
        bench = Bench("+".join(map(str, folders)), jurisdiction, index, Path(scratch))
        for number, source in enumerate(bench.drafts(ALTERED_DRAFTS)):
            if half_of(bench.name, number):
                continue
            base = bench.base(source)
            for kind in (each for each in _KINDS if made[each] < wanted):
                chance = random.Random(f"{SEED} {bench.name} {number} {kind}")
                altered = _KINDS[kind].alter(base, chance)
                if altered is None or altered.text == altered.span.of(source):
                    continue
                start, end = altered.span.start, altered.span.end
                whole = source[:start] + altered.text + source[end:]
                before, after = source[:start].rpartition("\n\n")[2], source[end:].partition("\n\n")[0]
                paragraph = before + altered.text + after
                text = paragraph if made[kind] else whole
                made[kind] += 1
                names.append(f"{'-'.join(re.findall('[A-Za-z]+', kind))}-{made[kind]}{suffix}")
                _write_text(workspace / "drafts" / names[-1], text)
            holdings += _draw_holdings(bench, base, random.Random(f"{SEED} {bench.name} {number}"))
        bench.library.close()
    drafts = sorted(f"drafts/{each}" for each in names)
    return Matter(name, name, drafts, holdings=holdings[: 4 * HOLDINGS], index=index.stem if index else "")


def _draw_holdings(bench: Any, base: Any, chance: random.Random) -> Iterator[tuple[str, str]]:
    """Two holdings of a draft that cite a case in full: as they stand, altered, and of another case."""
    from bench_alterations import list_holdings
    from quotation_alterations import HOLDINGS as EDITS

    full = (each for each in list_holdings(bench, base, chance) if each[0].citation.form == "full")
    for resolution, authority, said in islice(full, 2):
        cited = resolution.citation.span.of(base.source)
        yield cited, said
        for kind, edits in EDITS.items():
            if kind == "authority of another topic":
                others = [each for each in base.others if each.citation and each.id != authority.id]
                for other in chance.sample(others, min(1, len(others))):
                    yield f"{other.name}, {other.citation}", said
            else:
                made = (edit(said, chance, base.words) for edit in edits)
                yield from ((cited, each) for each in islice((each for each in made if each), 1))


# -- freezing ------------------------------------------------------------------------------------------------


class Normaliser:
    """Replaces what differs between two runs of the same lexls: paths, identifiers and random signs."""

    def __init__(self, places: Mapping[str, Path]) -> None:
        spelled = [
            (spelling, name)
            for name, path in places.items()
            for spelling in {str(path), str(path.resolve()), quote(str(path)), quote(str(path.resolve()))}
        ]
        self._paths = sorted(spelled, key=lambda each: -len(each[0]))

    def __call__(self, value: Any) -> Any:
        """Return the value with all texts in it normalised, and numbers of authorities left out."""
        if isinstance(value, str):
            for spelling, name in self._paths:
                value = value.replace(spelling, name)
            for pattern, replacement in _IDENTIFIERS:
                value = pattern.sub(replacement, value)
            return value
        if isinstance(value, list):
            return [self(each) for each in value]
        if isinstance(value, dict):
            return {
                key: "#" if key == "authority" and isinstance(each, int) else self(each)
                for key, each in value.items()
            }
        return value


_IDENTIFIERS = (
    (re.compile(r"lexls://authority/\d+"), "lexls://authority/#"),
    (re.compile(r"-views/\d+/"), "-views/#/"),
    (re.compile(r"^Authority \d+(?=:)", re.MULTILINE), "Authority #"),
    (re.compile(r"\b[0-9a-f]{16}\b"), "#"),
)
"""Numbers of authorities in the index, also in paths of extracted texts; signs around quotations; identifiers
of findings."""


def freeze(work: Path, out: Path, matter: Matter, indexes: Path) -> None:
    """Write what lexls says about each draft of a matter to a file below ``out``."""
    workspace = work / "matters" / matter.workspace
    index = indexes / f"{matter.index or matter.name}.sqlite3"
    with tempfile.TemporaryDirectory() as name:
        home = Path(name).resolve()
        places = {"HOME": home, "MATTER": workspace, "MATTERS": work / "matters", "INDEXES": indexes}
        if matter.shared:
            places["SHARED"] = Path(matter.shared)
        normalise = Normaliser(places)
        environment = _make_environment(home, index)
        said: dict[str, dict[str, Any]] = {each: {} for each in matter.drafts}
        run: dict[str, Any] = {}
        for face, options in (("check", ()), ("strict", ("--strict", "--report", str(home / "page.html")))):
            run[face] = _check(workspace, environment, face, options, said)
        _split_report((home / "page.html").read_text(encoding="utf-8"), said)
        if matter.asked:
            _hover(workspace, environment, matter.asked, said)
        asked = asyncio.run(_ask_tools(workspace, environment, matter, said))
        run["holdings"] = asked
        for draft, each in said.items():
            _write_json(out / matter.name / f"{draft}.json", normalise(each))
        _write_json(out / matter.name / "run.json", normalise(run))


def _make_environment(home: Path, index: Path) -> dict[str, str]:
    """An environment whose user has an empty home, no model, and this index."""
    index.parent.mkdir(parents=True, exist_ok=True)
    settings = home / "config" / "lexls" / "config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(
        f'[embeddings]\nmodel = ""\n\n[index]\npath = {json.dumps(str(index.resolve()))}\n', encoding="utf-8"
    )
    own = {f"XDG_{each.upper()}_HOME": str(home / each) for each in ("config", "data", "cache", "state")}
    return {**os.environ, **own, "HOME": str(home)}


def _write_json(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def _check(
    workspace: Path, environment: Mapping[str, str], face: str, options: Iterable[str],
    said: Mapping[str, dict[str, Any]],
) -> dict[str, Any]:  # fmt: skip
    """Check all drafts in one process, sort what it prints by draft, and return the rest."""
    command = [*LEXLS, "check", "--json", *options, *said]
    done = subprocess.run(command, cwd=workspace, env=environment, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr or done.stdout)
    answer = json.loads(done.stdout)
    lists = {key: value for key, value in answer.items() if _is_located(value)}
    for draft, each in said.items():
        each[face] = {
            key: [
                {name: one[name] for name in one if name != "file"} for one in value if one["file"] == draft
            ]
            for key, value in lists.items()
        }
    rest = {key: value for key, value in answer.items() if key not in lists}
    return {"exit": done.returncode, **rest}


def _is_located(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict) and "file" in value[0]


def _split_report(page: str, said: Mapping[str, dict[str, Any]]) -> None:
    """Sort the lines of the report page by draft, without their markup but with the colour of verdicts."""
    sections = page.split('<section class="draft">')[1:]
    if len(sections) != len(said):
        sys.exit(f"the report page has {len(sections)} sections for {len(said)} drafts")
    for section in sections:
        marked = re.sub(
            r'<span class="verdict (\w+)">(.*?)</span>', r" [\1: \2] ", section.split("</body")[0]
        )
        lines = (
            " ".join(html.unescape(re.sub(r"<[^>]+>", " ", each)).split()) for each in marked.split("\n")
        )
        name, *rest = filter(None, lines)
        said[name]["report"] = rest


def _hover(
    workspace: Path, environment: Mapping[str, str], asked: Iterable[str], said: Mapping[str, dict[str, Any]]
) -> None:
    """Hover over both ends of every citation and the start of every quotation, and ask for inlay hints."""
    capabilities = {
        "experimental": {"lexls": {"status": True}},
        "textDocument": {"hover": {"contentFormat": ["markdown"]}},
    }
    server = Server(workspace, "", environment, capabilities, PATIENCE, (*LEXLS, "serve"))
    try:
        until = time.monotonic() + PATIENCE
        while server.phase not in ("ready", "lexical"):
            if time.monotonic() > until:
                sys.exit(f"the library of {workspace} is not ready: {server.phase}")
            time.sleep(0.1)
        for draft in asked:
            path = workspace / draft
            text = path.read_bytes().decode("utf-8")
            uri = {"uri": path.as_uri()}
            item = {**uri, "languageId": LANGUAGES[path.suffix], "version": 1, "text": text}
            server.tell("textDocument/didOpen", {"textDocument": item})
            whole = {"start": _find_position(text, 0), "end": _find_position(text, len(text))}
            hints = server.ask("textDocument/inlayHint", {"textDocument": uri, "range": whole}) or ()
            said[draft]["inlays"] = [
                {"start": _find_offset(text, each["position"]), "label": _name_label(each)} for each in hints
            ]
            said[draft]["hover"] = [
                {"start": at, "words": text[at : at + 40], "markdown": _read_hover(found)}
                for at in sorted(_list_places(said[draft]["check"]))
                for found in [
                    server.ask(
                        "textDocument/hover", {"textDocument": uri, "position": _find_position(text, at)}
                    )
                ]
            ]
            server.tell("textDocument/didClose", {"textDocument": uri})
    finally:
        server.end()


def _list_places(checked: Mapping[str, Any]) -> set[int]:
    cited = [*checked.get("citations", ()), *checked.get("record", ())]
    starts = {each["start"] for each in [*cited, *checked.get("quotations", ())]}
    return starts | {each["end"] - 1 for each in cited}


def _find_position(text: str, offset: int) -> dict[str, int]:
    """The line and UTF-16 column of an offset."""
    line = text.rfind("\n", 0, offset) + 1
    return {
        "line": text.count("\n", 0, offset),
        "character": len(text[line:offset].encode("utf-16-le")) // 2,
    }


def _find_offset(text: str, position: Mapping[str, int]) -> int:
    lines = text.split("\n")[: position["line"] + 1]
    column = lines[-1].encode("utf-16-le")[: 2 * position["character"]].decode("utf-16-le")
    return sum(len(each) + 1 for each in lines[:-1]) + len(column)


def _name_label(hint: Mapping[str, Any]) -> str:
    label = hint["label"]
    return label if isinstance(label, str) else "".join(each["value"] for each in label)


def _read_hover(found: Any) -> str:
    return found["contents"]["value"] if found else ""


async def _ask_tools(
    workspace: Path, environment: Mapping[str, str], matter: Matter, said: Mapping[str, dict[str, Any]]
) -> list[dict[str, Any]]:
    """Ask the agents' tools about the drafts and citations; the answers about the matter's holdings."""
    if not matter.asked and not matter.holdings:
        return []
    program, *arguments = LEXLS
    parameters = StdioServerParameters(
        command=program, args=[*arguments, "mcp", "--workspace", str(workspace)], env=dict(environment)
    )
    async with Client(stdio_client(parameters)) as client:

        async def ask(tool: str, **asked: Any) -> dict[str, Any]:
            answer = await client.call_tool(tool, asked)
            text = "\n".join(getattr(each, "text", "") for each in answer.content).split("\n")
            return {
                "asked": asked,
                "error": answer.is_error,
                "text": text,
                **(answer.structured_content or {}),
            }

        until = time.monotonic() + PATIENCE
        while (
            "Looking through" in (await ask("library_status")).get("state", "") and time.monotonic() < until
        ):
            await asyncio.sleep(0.2)
        for draft in matter.asked:
            said[draft]["check_draft"] = await ask("check_draft", path=draft, support=True, everything=True)
            cited = {
                each["text"]: (each["support"] or {}).get("proposition") or ""
                for each in said[draft]["strict"].get("citations", ())
                if not each["stands_for"]
            }
            said[draft]["verify_citation"] = [
                await ask("verify_citation", citation=text, proposition=proposition)
                for text, proposition in islice(cited.items(), VERIFIED)
            ]
        return [
            await ask("verify_citation", citation=citation, proposition=proposition)
            for citation, proposition in matter.holdings
        ]


# -- comparing -----------------------------------------------------------------------------------------------

KINDS = (
    ("Verdicts", re.compile(r"\.(verdict|status|support): |\b(citations|quotations|record) (added|removed)")),
    ("Findings added or removed", re.compile(r"\b(findings|ignored) (added|removed)")),
    ("Severities", re.compile(r"\.severity\b")),
    ("Messages", re.compile(r"^(check|strict)\b.*\.(message|reason|reasons|remarks|original|passage)\b")),
    ("Hovers and hints", re.compile(r"^(hover|inlays)\b")),
    ("Tools of agents", re.compile(r"^(check_draft|verify_citation|holdings)\b")),
    ("Report page", re.compile(r"^report\b")),
    ("Other", re.compile("")),
)
"""Kinds of differences and the labels they have; the first one that matches counts."""
CATEGORICAL = ("verdict", "status", "severity", "exit", "support")
"""Fields whose old and new values are part of a difference's label."""
PLACE_FIELDS = ("start", "end", "line", "character", "place")
LONGEST = 240
"""Code points of a value that an example shows."""
_MISSING = object()


@dataclass(slots=True)
class Difference:
    """A kind of difference, how often it occurs, and where, the first examples with both values."""

    count: int = 0
    drafts: set[str] = field(default_factory=set)
    examples: list[str] = field(default_factory=list)


def compare(old: Path, new: Path, examples: int) -> dict[str, Difference]:
    """The differences between two frozen outputs, of the matters that both have, by label."""
    found: dict[str, Difference] = defaultdict(Difference)
    shared = {each.name for each in old.iterdir()} & {each.name for each in new.iterdir()}
    files = {
        each.relative_to(root): None
        for root in (old, new)
        for name in sorted(shared)
        for each in sorted((root / name).rglob("*.json"))
    }
    for file in files:
        for label, where, was, now in _compare_file(old / file, new / file):
            one = found[label]
            one.count += 1
            one.drafts.add(str(file))
            if len(one.examples) < examples:
                values = [f"    {sign} {_show(value)}" for sign, value in (("-", was), ("+", now)) if value]
                one.examples.append("\n".join([f"  {file} {where}", *values]))
    return found


def _compare_file(old: Path, new: Path) -> Iterator[tuple[str, str, str, str]]:
    if not old.exists() or not new.exists():
        yield f"draft {'removed' if old.exists() else 'added'}", "", "", ""
        return
    was, now = (json.loads(each.read_text(encoding="utf-8")) for each in (old, new))
    yield from _compare_values("", "", "", was, now)


def _compare_values(
    label: str, where: str, code: str, was: Any, now: Any
) -> Iterator[tuple[str, str, str, str]]:
    """Label, place, old and new value of each difference; ``code`` is the finding's that holds the values."""
    if was == now:
        return
    if isinstance(was, dict) and isinstance(now, dict):
        for key in dict.fromkeys([*was, *now]):
            if key not in PLACE_FIELDS:
                inner = f"{label}.{key}" if label else key
                yield from _compare_values(inner, where, code, was.get(key), now.get(key))
    elif _holds(was, dict) and _holds(now, dict):
        yield from _compare_items(label, where, was, now)
    elif _holds(was, str) and _holds(now, str):
        for line in difflib.unified_diff(was, now, n=0, lineterm=""):
            if not line.startswith(("---", "+++", "@@")):
                gone = line[0] == "-"
                change = f"{label} line {'removed' if gone else 'added'}"
                yield change, where, line[1:] if gone else "", "" if gone else line[1:]
    elif label.rpartition(".")[2] in CATEGORICAL and not isinstance(was, dict) and not isinstance(now, dict):
        yield f"{label}: {was} → {now}", where, "", ""
    else:
        yield f"{label} changed{f': {code}' if code else ''}", where, _write(was), _write(now)


def _holds(value: Any, kind: type) -> bool:
    return isinstance(value, list) and all(isinstance(each, kind) for each in value)


def _compare_items(
    label: str, where: str, was: Sequence[dict[str, Any]], now: Sequence[dict[str, Any]]
) -> Iterator[tuple[str, str, str, str]]:
    """Compare items with the same place or name; all others were added or removed."""
    before, after = _key_items(was), _key_items(now)
    for key in dict.fromkeys([*before, *after]):
        one, other = before.get(key), after.get(key)
        cited = (one or other or {}).get("text")
        inner = f"{where} {key} {_show(cited) if isinstance(cited, str) else ''}".strip()
        if one is not None and other is not None:
            yield from _compare_values(label, inner, one.get("code", ""), one, other)
            continue
        item = one or other or {}
        named = [str(item[name]) for name in ("code", "severity", "verdict", "element") if item.get(name)]
        change = f"{label} {'removed' if one is not None else 'added'}{': ' * bool(named)}{', '.join(named)}"
        text = item.get("message") or item.get("text") or item.get("markdown") or ""
        written = text if isinstance(text, str) else _write(text)
        yield change, inner, written if one is not None else "", "" if one is not None else written


def _key_items(items: Iterable[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Items by their place, code or name; of several with the same one, each with its number."""
    keyed: dict[str, dict[str, Any]] = {}
    numbers: Counter[str] = Counter()
    for each in items:
        at = each.get("at") if isinstance(each.get("at"), dict) else each
        assert at is not None
        named = (at.get("start"), at.get("end"), each.get("code"), each.get("element"), each.get("words"))
        key = " ".join(str(name) for name in named if name is not None and not isinstance(name, dict))
        key = key or _write(each.get("asked") or each.get("citation") or "")
        numbers[key] += 1
        keyed[key if numbers[key] == 1 else f"{key} ({numbers[key]})"] = each
    return keyed


def _write(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _show(value: str) -> str:
    value = " ".join(value.split())
    return value if len(value) <= LONGEST else f"{value[:LONGEST]}…"


def report(found: Mapping[str, Difference]) -> Iterator[str]:
    """The differences by kind, the most frequent first."""
    kinds: dict[str, list[str]] = {title: [] for title, _ in KINDS}
    for label in sorted(found, key=lambda label: -found[label].count):
        kinds[next(title for title, pattern in KINDS if pattern.search(label))].append(label)
    for title, labels in kinds.items():
        if labels:
            yield f"== {title}: {sum(found[each].count for each in labels):,}"
        for label in labels:
            one = found[label]
            yield f"{one.count:,} in {len(one.drafts):,} drafts: {label}"
            yield from one.examples
    if not found:
        yield "No difference."


# -- the command line ----------------------------------------------------------------------------------------


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    drawing = commands.add_parser("draw", help="lay out the drafts")
    drawing.add_argument("work", type=Path)
    drawing.add_argument("shared", type=Path, help="the folder that has data, matters and authority-formats")
    freezing = commands.add_parser("freeze", help="write what lexls says about the drafts")
    freezing.add_argument("work", type=Path)
    freezing.add_argument("out", type=Path, help="a folder; files in it are replaced")
    freezing.add_argument("--only", action="append", metavar="MATTER", help="only this matter (repeatable)")
    freezing.add_argument("--indexes", type=Path, help="the folder of the indexes (WORK/index)")
    comparing = commands.add_parser("compare", help="print the differences between two frozen outputs")
    comparing.add_argument("old", type=Path)
    comparing.add_argument("new", type=Path)
    comparing.add_argument("--examples", type=int, default=3, metavar="N", help="examples per difference (3)")
    options = parser.parse_args()
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    if options.command == "compare":
        found = compare(options.old, options.new, options.examples)
        print("\n".join(report(found)))
        return 1 if found else 0
    work = options.work.resolve()
    if options.command == "draw":
        shared = options.shared.resolve()
        matters = draw(work, shared)
        _write_json(work / "matters.json", [asdict(replace(each, shared=str(shared))) for each in matters])
        return 0
    for each in json.loads((work / "matters.json").read_text(encoding="utf-8")):
        matter = Matter(**each)
        if options.only and matter.name not in options.only:
            continue
        started = time.perf_counter()
        freeze(work, options.out, matter, (options.indexes or work / "index").resolve())
        print(
            f"{matter.name}: {len(matter.drafts)} drafts, {time.perf_counter() - started:.0f} s", flush=True
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
