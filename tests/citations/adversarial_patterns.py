"""Runs regular expressions of lexls/citations over texts that are made to be hard; one process a group.

python adversarial_patterns.py GROUP prints, as JSON, the patterns whose cost grows faster than the text.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import pkgutil
import re
import sys
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence

import lexls.citations
from lexls.citations import templates
from lexls.citations.form import Form
from lexls.citations.registry import Registry


def listed(pieces: str) -> tuple[str, ...]:
    """The pieces of a listing that broken bars part."""
    return tuple(pieces.split("¦"))


SIZE = 100_000
ENOUGH_SECONDS = 1.0
"""What takes less at ``SIZE`` is not looked at further: only far longer times tell how a cost grows."""
STEEPEST = 3.0
"""How much longer twice the text may take. A cost that is linear doubles, a quadratic one is fourfold."""
RUNS = listed(
    " ¦\n¦A¦a¦1¦A ¦a ¦1 ¦.¦, ¦,¦-¦/¦(¦[¦([¦(a¦((a) ¦“¦’¦“a ¦A.¦A. ¦v. v. v. ¦A v. ¦A v B, ¦the ¦"
    "of the ¦A of ¦A & ¦in re ¦In re A ¦§ ¦¶ 1¦at ¦at [1] ¦para 1, ¦s 1, ¦1, ¦1-¦1(1)¦(1) ¦1.1¦"
    "[2014] ¦(1999) ¦12 A. 3, ¦Act of ¦the said Act ¦No. 1 of ¦Id. at 1, ¦supra ¦(n 1) ¦aff'd, ¦"
    "(A 1999)¦case ¦; see also ¦A\n"
)


def groups() -> list[str]:
    """The modules that hold patterns, and the jurisdictions with forms."""
    modules = [f"module:{name}" for name, found in _modules() if any(True for _ in _patterns(found))]
    return [*modules, *sorted({f"forms:{form.jurisdiction}" for form in Registry.load().forms})]


def _modules() -> Iterator[tuple[str, Mapping[str, object]]]:
    for module in pkgutil.walk_packages(lexls.citations.__path__, "lexls.citations."):
        yield module.name, _own(module.name)


def _own(name: str) -> Mapping[str, object]:
    """What a module defines itself."""
    module = importlib.import_module(name)
    imports = [node for node in ast.parse(inspect.getsource(module)).body if isinstance(node, ast.ImportFrom)]
    taken = {alias.asname or alias.name for node in imports for alias in node.names}
    return {key: value for key, value in vars(module).items() if key not in taken}


def _patterns(holder: object, depth: int = 0) -> Iterator[re.Pattern[str]]:
    """Every compiled pattern in what a module holds, in collections too."""
    if isinstance(holder, re.Pattern):
        if isinstance(holder.pattern, str):
            yield holder
    elif isinstance(holder, Mapping) and depth < 3:
        for value in holder.values():
            yield from _patterns(value, depth + 1)
    elif isinstance(holder, tuple | list | set | frozenset) and depth < 3:
        for value in holder:
            yield from _patterns(value, depth + 1)


def _of_form(form: Form) -> Iterator[re.Pattern[str]]:
    variants = {
        token: tuple(name for canonical, others in table.items() for name in (canonical, *others))
        for token, table in form.names.items()
    }
    for parts in form.patterns:
        yield re.compile(templates.pattern(parts, variants))


def _near_misses(form: Form) -> list[str]:
    """What begins like a citation of the form and does not end like one."""
    texts = [example.text for example in form.examples[:2]]
    return [piece for text in texts for piece in (text[: -len(text) // 3], f"{text[:-1]}x", f"{text}, ")]


def _seconds(pattern: re.Pattern[str], text: str) -> float:
    start = time.process_time()
    deque(pattern.finditer(text), maxlen=0)
    return time.process_time() - start


def steep(pattern: re.Pattern[str], pieces: Sequence[str]) -> list[str]:
    """The pieces whose repetition costs the pattern more than its length explains."""
    found = []
    for piece in pieces:
        text = (piece * (SIZE // len(piece) + 1))[:SIZE]
        whole = _seconds(pattern, text)
        if whole > ENOUGH_SECONDS and whole > STEEPEST * _seconds(pattern, text[: SIZE // 2]):
            found.append(piece)
    return found


def run(group: str) -> list[tuple[str, list[str]]]:
    """The steep patterns of a group with the pieces that show it."""
    kind, _, name = group.partition(":")
    found = []
    if kind == "module":
        tried = dict.fromkeys(_patterns(_own(name)), RUNS)
        found = [(pattern.pattern, steep(pattern, pieces)) for pattern, pieces in tried.items()]
    else:
        for form in Registry.load().forms:
            if form.jurisdiction == name:
                misses = _near_misses(form)
                some = [*misses, "1 ", "[2014] ", "(1999) 1 ", "A. ", "1 A. ", " ", "1", "A"]
                found += [(f"{form.id}: {each.pattern}", steep(each, some)) for each in _of_form(form)]
    return [(pattern, pieces) for pattern, pieces in found if pieces]


if __name__ == "__main__":
    print(json.dumps(run(sys.argv[1])))
