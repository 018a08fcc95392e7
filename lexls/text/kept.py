"""Cache data derived from lexls's own files, next to Python's compiled modules."""

from __future__ import annotations

import marshal
import os
import sys
import threading
import tomllib
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path
from typing import Any, TypeVar, cast

from lexls import __version__

_Made = TypeVar("_Made")
_PACKAGE = Path(__file__).parents[1]
_CHECKED = 4
"""Size in bytes of the checksum before the cached data."""


def keep(name: str, sources: Sequence[Path], make: Callable[[], _Made], given: object = None) -> _Made:
    """Return the result of ``make``, from the cache if none of the files has changed since it was stored.

    ``make`` returns values that ``marshal`` supports, such as dictionaries and lists. The result is cached
    under ``name``, together with the size and time of each of the ``sources``, the versions of lexls and
    Python, and ``given``, which is anything else that the result depends on. If any of these differs, or the
    cache file is damaged, ``make`` is called again. If the file cannot be written, or Python may not write
    compiled modules, nothing is cached.
    """
    stamp = repr(
        (MAGIC_NUMBER, __version__, given, [(str(each), *_read_size_and_time(each)) for each in sources])
    )
    try:
        kept = Path(cache_from_source(str(_PACKAGE / f"{name}.py"))).with_suffix(".kept")
    except NotImplementedError:
        return make()
    try:
        content = kept.read_bytes()
        if zlib.crc32(content[_CHECKED:]).to_bytes(_CHECKED) == content[:_CHECKED]:
            kept_stamp, kept_value = marshal.loads(content[_CHECKED:])
            if kept_stamp == stamp:
                return cast(_Made, kept_value)
    except (OSError, ValueError, EOFError, TypeError):
        pass  # compute it again
    made = make()
    if not sys.dont_write_bytecode:
        _write(kept, (stamp, made))
    return made


def read_toml(path: Path) -> dict[str, Any]:
    """Return a parsed TOML file. Files of lexls itself are cached. Raises ``TOMLDecodeError``."""

    def parse() -> dict[str, Any]:
        return tomllib.loads(path.read_text(encoding="utf-8"))

    if not path.is_relative_to(_PACKAGE):
        return parse()
    return keep(".".join(path.relative_to(_PACKAGE).parts), (path,), parse)


def _read_size_and_time(source: Path) -> tuple[int, int]:
    found = source.stat()
    return found.st_size, found.st_mtime_ns


def _write(kept: Path, values: Any) -> None:
    """Write the cache file atomically; do nothing if it cannot be written or ``marshal`` rejects a value."""
    draft = kept.with_name(f"{kept.name}.{os.getpid()}-{threading.get_ident()}")
    try:
        content = marshal.dumps(values)
        kept.parent.mkdir(parents=True, exist_ok=True)
        draft.write_bytes(zlib.crc32(content).to_bytes(_CHECKED) + content)
        draft.replace(kept)
    except (OSError, ValueError):
        with suppress(OSError):
            draft.unlink()
