"""Install a wheel of lexls in clean environments, in each way that the README names, and work with it.

    python tests/installing/try_wheel.py WHEEL [--python FILE ...] [--only 3.11 ...] [--need]

Each Python that lexls serves is looked for (``--python``, that which runs this, ``PATH``, pyenv); which were
not found is said, and with ``--need`` is a failure. Nothing is compiled, and nothing of the user's is read or
written: only wheels are taken, home and settings are empty. Needs an index of packages.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SERVED = ("3.11", "3.12", "3.13", "3.14")
WINDOWS = os.name == "nt"
KEPT = re.compile(
    r"(PIP|UV|SSL|REQUESTS|HTTPS?|NO)_|SYSTEM|WINDIR|COMSPEC|PATHEXT|TE?MP|LANG$|LC_", re.IGNORECASE
)
FOUND = {"misquotation", "pinpoint-not-found", "missing-among-held"}
"""What `lexls check` finds in the sample's drafts, at least."""

Command = Sequence[str | Path]


def find_pythons(named: Sequence[Path]) -> dict[str, Path]:
    """For each version served an interpreter, if one is found."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    candidates: list[Path] = [
        *(each.absolute() for each in named if each.is_file()),
        Path(sys.executable).resolve(),
    ]
    for version in SERVED:
        on_path = shutil.which(f"python{version}")
        candidates += [Path(on_path)] if on_path else []
        candidates += sorted(pyenv.glob(f"{version}.*/bin/python"))
    found: dict[str, Path] = {}
    for each in candidates:
        asked = subprocess.run(
            [each, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"], capture_output=True
        )
        version = asked.stdout.decode().strip()
        if asked.returncode == 0 and version in SERVED:
            found.setdefault(version, each)
    return found


def clean_environment(home: Path, cache: Path) -> dict[str, str]:
    """Nothing of the user's but how packages are reached; only wheels are installed."""
    kept = {name: value for name, value in os.environ.items() if KEPT.match(name)}
    homes = (
        "HOME",
        "USERPROFILE",
        "APPDATA",
        "LOCALAPPDATA",
        "XDG_DATA_HOME",
        "XDG_CONFIG_HOME",
        "XDG_CACHE_HOME",
    )
    path = [Path(os.environ["SYSTEMROOT"]) / "System32"] if WINDOWS else [Path("/usr/bin"), Path("/bin")]
    return {
        **kept,
        **dict.fromkeys(homes, str(home)),
        "PATH": os.pathsep.join(map(str, path)),
        "PIP_CACHE_DIR": str(cache / "pip"),
        "PIP_ONLY_BINARY": ":all:",
        "UV_CACHE_DIR": str(cache / "uv"),
        "UV_NO_BUILD": "1",
        "UV_PYTHON_DOWNLOADS": "never",
        "PIPX_HOME": str(home / "pipx"),
        "PIPX_BIN_DIR": str(home / "bin"),
        "PYTHONUTF8": "1",
    }


def run(command: Command, environment: Mapping[str, str], folder: Path, *, expected: int = 0) -> str:
    """What a command prints; ``AssertionError`` with all of it where it ends otherwise than expected."""
    done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, encoding="utf-8")
    said = f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}"
    assert done.returncode == expected, f"{said}\nended with {done.returncode}"
    return done.stdout


def work(lexls: Command, version: str, environment: Mapping[str, str], folder: Path) -> None:
    """Index the sample and check its drafts with an installed lexls."""
    sample = folder / "sample"
    shutil.copytree(EXAMPLES, sample)
    said = run([*lexls, "--version"], environment, sample)
    assert said.split() == ["lexls", version], said
    indexed = json.loads(run([*lexls, "index", "--lexical", "--json"], environment, sample))
    files = [each for each in (sample / "library").rglob("*") if each.is_file()]
    assert indexed["documents"] == len(files), indexed
    checked = json.loads(run([*lexls, "check", "drafts", "--json"], environment, sample, expected=1))
    codes = {each["code"] for each in checked["findings"]}
    assert codes >= FOUND, codes


def install(
    way: str, python: Path, wheel: Path, tools: Path, environment: Mapping[str, str], home: Path
) -> Command:
    """Install the wheel in one way; the command that then is lexls."""
    end = ".exe" if WINDOWS else ""
    if way == "uvx":
        return [tools / f"uvx{end}", "--python", python, "--from", wheel, "lexls"]
    if way == "pipx":
        run([tools / f"pipx{end}", "install", "--python", python, wheel], environment, home)
        return [home / "bin" / f"lexls{end}"]
    place = home / "env"
    run([tools / f"uv{end}", "venv", "--quiet", "--seed", "--python", python, place], environment, home)
    scripts = place / ("Scripts" if WINDOWS else "bin")
    run([scripts / f"python{end}", "-m", "pip", "install", "--quiet", wheel], environment, home)
    return [scripts / f"lexls{end}"]


def try_all(wheel: Path, pythons: Mapping[str, Path]) -> Iterator[tuple[str, str | None]]:
    """Each trial with what went wrong in it, if anything did."""
    released = wheel.name.split("-")[1]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        base = Path(place)
        subprocess.run([sys.executable, "-m", "venv", base / "tools"], check=True)
        tools = base / "tools" / ("Scripts" if WINDOWS else "bin")
        pip = [tools / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "uv", "pipx"], check=True)
        for version, python in pythons.items():
            for way in ("pip", "pipx", "uvx"):
                home = base / f"{version}-{way}"
                home.mkdir()
                environment = clean_environment(home, base / "cache")
                began, problem = time.monotonic(), None
                try:
                    work(install(way, python, wheel, tools, environment, home), released, environment, home)
                except AssertionError as wrong:
                    problem = str(wrong)
                yield f"Python {version}, {way} ({time.monotonic() - began:.0f} s)", problem
                shutil.rmtree(home, ignore_errors=True)


def main() -> int:
    """Print a line for each trial; 1 where one failed or a Python that is needed is missing."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("wheel", type=Path)
    parser.add_argument("--python", type=Path, action="append", default=[], help="an interpreter to try, too")
    parser.add_argument("--only", nargs="+", choices=SERVED, default=SERVED, help="these versions alone")
    parser.add_argument("--need", action="store_true", help="fail where one of the versions is not found")
    options = parser.parse_args()
    pythons = {
        version: each for version, each in find_pythons(options.python).items() if version in options.only
    }
    missing = [version for version in options.only if version not in pythons]
    passed = failed = 0
    for name, problem in try_all(options.wheel.resolve(), dict(sorted(pythons.items()))):
        passed, failed = passed + (problem is None), failed + (problem is not None)
        print(f"ok   {name}" if problem is None else f"FAIL {name}\n{problem}", flush=True)
    for version in missing:
        print(f"not found, so not tried: Python {version}")
    print(f"{passed} passed, {failed} failed")
    return int(failed > 0 or passed == 0 or (options.need and bool(missing)))


if __name__ == "__main__":
    sys.exit(main())
