"""The layers of ARCHITECTURE.md: imports point one way, and what is heavy or foreign stays in its place."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "lexls"
_ROW = re.compile(r"^\| `lexls/(\w+)/` \|[^|]*\|[^|]*\| *([^|]*?) *\|$", re.M)
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
BELOW = {
    folder: {each.strip(" `") for each in below.split(",") if each.strip()}
    for folder, below in _ROW.findall(ARCHITECTURE)
}
"""What each folder may import, as the table of layers in ARCHITECTURE.md says."""
ONLY_IN = {
    "pygls": "server/",
    "lsprotocol": "server/",
    "mcp": "agents/",
    "pydantic": "agents/",
    "apsw": "index/",
    "sqlite3": "nowhere",
    "sqlite_vec": "index/connection.py",
    "sentence_transformers": "models/sentence_transformers_models.py",
    "llama_cpp": "models/llama_runtime.py",
    "xllamacpp": "models/xllamacpp_interface.py",
    "httpx2": "models/http.py",
    "onnxruntime": "models/onnx_session.py",
    "onnx": "models/",
    "pymilvus": "index/milvus.py",
}
SQL = re.compile(
    r"\b(SELECT\s.+\sFROM|INSERT\s+(OR\s+\w+\s+)?INTO|CREATE\s+(VIRTUAL\s+)?TABLE|PRAGMA)\s", re.S
)


def modules() -> list[Path]:
    found = sorted(PACKAGE.rglob("*.py"))
    assert found
    return found


@cache
def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports(path: Path) -> frozenset[str]:
    return frozenset(_imports(path))


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(parse(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield node.module or ""


def imported(path: Path) -> Iterator[str]:
    """The modules that a module imports; ``from package import module`` imports the module."""
    for node in ast.walk(parse(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            inside = ROOT.joinpath(*node.module.split("."))
            for alias in node.names:
                own = (inside / f"{alias.name}.py").is_file()
                yield f"{node.module}.{alias.name}" if own else node.module


def test_every_folder_has_its_rule() -> None:
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert folders == set(BELOW)


@pytest.mark.parametrize("folder", sorted(BELOW))
def test_imports_point_one_way(folder: str) -> None:
    for path in [each for each in modules() if each.is_relative_to(PACKAGE / folder)]:
        for name in imports(path):
            parts = name.split(".")
            if parts[0] == "lexls" and len(parts) > 1:
                assert parts[1] in BELOW[folder] | {folder}, f"{path.relative_to(PACKAGE)} imports {name}"


@pytest.mark.parametrize("library", sorted(ONLY_IN))
def test_foreign_libraries_stay_in_their_place(library: str) -> None:
    for path in modules():
        place = path.relative_to(PACKAGE).as_posix()
        if library in {name.split(".")[0] for name in imports(path)}:
            assert place.startswith(ONLY_IN[library]), f"{place} imports {library}"


FACES = ("features", "export", "server", "agents", "cli")
"""The folders that show what was assessed, and assess nothing."""
RESULTS = {
    "assess": "Assessment assess assess_excerpt find_absence",
    "check": "Finding Related as_cited as_named",
    "excerpt": "list_excerpts",
    "fact": "Fact Element Status Fault",
    "ignoring": "Ignored ignore_here name_authority describe_ignored",
    "papers": "CitedInRecord PaperVerdict cites_paper complete_papers describe_paper list_cited_in_record "
    "list_cited_papers locate_paper name_paper_verdict write_places",
    "quotations": "Compared QuotationAssessment assess_quotation find_attributions find_block_attributions",
    "related_provisions": "RelatedProvision find_related_provisions",
    "rules.engine": "CheckedDraft FoundBefore check check_all check_at_once check_late list_libraries",
    "rules.quotations": "report_quotation",
    "support": "Support SupportVerdict judge_proposition judge_support",
    "verdicts": "QUOTATION_VERDICTS VERDICTS QuotationVerdict Verdict decide decide_quotation describe "
    "describe_agreement explain explain_quotation name_quotation_verdict name_state name_support "
    "name_verdict summarise summarise_citations",
}
"""What faces may import from `lexls/assessing/`: what was found out and how it is said. Of the rules they may
also import the declarations of diagnostics."""
COMPARING = (
    "lexls.citations.case_names.compare",
    "lexls.citations.case_names.exact",
    "lexls.citations.case_names.exact_party",
    "lexls.citations.case_names.strangers",
    "lexls.citations.same_court",
    "lexls.citations.same_docket",
    "lexls.quotations.authority_texts",
    "lexls.quotations.compare",
)
"""The modules below `lexls/assessing/` that compare a draft's words with an authority's."""
COMPARES_ALL_THE_SAME = {
    ("features/found_by_words.py", "compare_with"): "finds where a quotation stands, to show the passage",
    (
        "features/found_by_words.py",
        "has_pages_cited",
    ): "asks whether a copy marks its pages, to look elsewhere",
    ("agents/tools/verify_quotation.py", "compare_with"): "searches for words, or looks into a named paper",
    ("export/missing_authorities.py", "same_name"): "finds another decision between the same parties",
    ("export/word_review.py", "check_propositions"): "finds sentences without a citation, to offer support",
}
"""What a face may compare or find itself, since it says nothing of a citation by it."""


def shown() -> Iterator[tuple[str, str, str]]:
    """What faces import by name: the face, the module that it is of, and the name."""
    for path in modules():
        place = path.relative_to(PACKAGE)
        for node in ast.walk(parse(path)) if place.parts[0] in FACES else ():
            if isinstance(node, ast.ImportFrom):
                yield from ((place.as_posix(), node.module or "", alias.name) for alias in node.names)


def is_result(module: str, name: str) -> bool:
    """Whether a name of a module says what was found out, or how."""
    below = module.removeprefix("lexls.assessing.")
    if module.startswith("lexls.assessing"):
        return name in RESULTS.get(below, "").split() or (below.startswith("rules.") and name.isupper())
    return module not in COMPARING


def test_faces_show_what_was_assessed_and_compare_nothing() -> None:
    found = {(face, name) for face, module, name in shown() if not is_result(module, name)}
    assert found == set(COMPARES_ALL_THE_SAME)


def test_faces_import_assessments_by_name() -> None:
    """So that the table above sees what they call."""
    for path in modules():
        if path.relative_to(PACKAGE).parts[0] in FACES:
            whole = {
                name
                for node in ast.walk(parse(path))
                if isinstance(node, ast.Import)
                for name in (alias.name for alias in node.names)
            }
            assert not any(name.startswith("lexls.assessing") for name in whole), path
            assert "lexls.assessing" not in imports(path), path


def test_the_table_of_results_names_what_there_is() -> None:
    for module, names in RESULTS.items():
        path = PACKAGE.joinpath("assessing", *module.split(".")).with_suffix(".py")
        text = path.read_text(encoding="utf-8")
        for name in names.split():
            assert re.search(rf"^(?:def |class )?{name}\b", text, re.M), f"{module} has no {name}"
    for module in COMPARING:
        assert ROOT.joinpath(*module.split(".")).with_suffix(".py").is_file(), module


def test_no_import_leads_back() -> None:
    """No circles, be it only for the types that a module names."""
    names = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in modules()}
    graph = {name: {each for each in imported(path) if each in names} for name, path in names.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise AssertionError(" → ".join(error.args[1])) from error


FOLDERS = sorted({path.parent for path in PACKAGE.rglob("*.py")})


@pytest.mark.parametrize("folder", FOLDERS, ids=[each.name for each in FOLDERS])
def test_no_import_leads_back_between_the_rooms_of_a_folder(folder: Path) -> None:
    """A folder inside a folder is one room: what it imports from its neighbours may not import it."""
    names = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in modules()}

    def find_room(path: Path) -> str:
        return path.relative_to(folder).parts[0]

    inside = {name: path for name, path in names.items() if path.is_relative_to(folder)}
    graph: dict[str, set[str]] = {}
    for path in inside.values():
        below = {find_room(inside[each]) for each in imported(path) if each in inside}
        graph.setdefault(find_room(path), set()).update(below - {find_room(path)})
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        raise AssertionError(" → ".join(error.args[1])) from error


def test_no_two_classes_share_a_name() -> None:
    places: dict[str, list[str]] = {}
    for path in modules():
        for node in ast.walk(parse(path)):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(path.relative_to(PACKAGE).as_posix())
    assert places
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def test_only_the_index_speaks_sql() -> None:
    for path in modules():
        place = path.relative_to(PACKAGE).as_posix()
        if place.startswith("index/"):
            continue
        for node in ast.walk(parse(path)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert not SQL.search(node.value), f"{place}:{node.lineno} speaks SQL"


def test_no_file_is_a_catch_all() -> None:
    names = {path.stem for path in modules()}
    assert not names & {"manager", "helper", "helpers", "util", "utils", "common", "misc"}


def test_nothing_is_changed_at_module_level() -> None:
    """No module holds state: no ``global`` statement, no empty list, set or dictionary to be filled."""
    for path in modules():
        tree = parse(path)
        for node in ast.walk(tree):
            assert not isinstance(node, ast.Global), f"{path}:{node.lineno}"
        for node in tree.body:
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                value = node.value
                empty = isinstance(value, ast.List | ast.Dict | ast.Set) and not ast.unparse(value).strip(
                    "[]{}"
                )
                assert not empty, f"{path}:{node.lineno} makes something to be filled"
