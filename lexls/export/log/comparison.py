"""Compare a log with the files as they are now, and describe each change and its kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lexls import __version__
from lexls.export.log.alignment import Aligned, align
from lexls.export.log.entries import compare_assessed
from lexls.export.log.file import Log, hash_data
from lexls.export.log.wording import name_entry, name_place, name_verdict_of, where

_LONGEST = 120


@dataclass(frozen=True, slots=True)
class LogChange:
    """A change since a log was written, described in words.

    ``entry`` is the number of the entry concerned, and ``about`` describes the entry. If the change concerns
    no entry, they are None and "".
    """

    kind: str
    message: str
    entry: int | None = None
    about: str = ""


@dataclass(frozen=True, slots=True)
class FilesNow:
    """The current data that a log is compared with: a new log of the same draft, and the folders of the
    library and the record.

    ``log`` is None if the draft cannot be checked. ``problems`` give the reason, and list anything else that
    is missing. ``hash_file`` returns the SHA-256 of a file, or None if it cannot be read.
    """

    log: Log | None
    problems: Sequence[LogChange]
    library: Sequence[Path]
    record: Sequence[Path]
    hash_file: Callable[[Path], str | None]


def compare_log(log: Log, now: FilesNow) -> list[LogChange]:
    """Return every change since a log was written. Changes to the log itself come first."""
    changes = [*_check_hashes(log)]
    if log["lexls"] != __version__:
        changes.append(LogChange("lexls", f"written by lexls {log['lexls']}; this is lexls {__version__}"))
    changes += now.problems
    if now.log is not None:
        changes += _compare_drafts(log, now.log)
    changes += _compare_files(log, now)
    if now.log is not None:
        changes += _compare_libraries(log, now.log)
    return changes


# -- the log -------------------------------------------------------------------------------------------------


def _check_hashes(log: Log) -> Iterator[LogChange]:
    if log["sha256"] != hash_data(log):
        yield LogChange("log", "the log itself is not as it was written: its SHA-256 does not fit")
    for entry in log["entries"]:
        if entry["sha256"] != hash_data(entry):
            yield _of_entry(entry, "log-entry", "the log itself says something else of it than when written")
    numbers = [entry["number"] for entry in log["entries"]]
    if numbers != list(range(1, len(numbers) + 1)):
        said = ", ".join(map(str, numbers)) or "none"
        yield LogChange("log-entries", f"entries of the log are missing, doubled or in another order: {said}")


# -- the draft -----------------------------------------------------------------------------------------------


def _compare_drafts(log: Log, now: Log) -> Iterator[LogChange]:
    pairs = align(log["entries"], now["entries"])
    then, new = log["draft"], now["draft"]
    if then["sha256"] != new["sha256"]:
        same = all(_is_written_the_same(each) for each in pairs)
        but = "; all that it cites and quotes is as it was written" if same else ""
        yield LogChange("draft", f"the draft {then['file']} has changed{but}")
    if then["jurisdiction"] != new["jurisdiction"]:
        was, is_now = (each["jurisdiction"] or "none" for each in (then, new))
        yield LogChange(
            "jurisdiction", f"the draft was read with the jurisdiction {was}, and is with {is_now}"
        )
    for each in pairs:
        yield from _compare_entries(each)
    yield from _describe_shifted(pairs)


def _is_written_the_same(pair: Aligned) -> bool:
    if pair.fate != "same":
        return False
    quoted = align(pair.then.get("quotations", ()), pair.now.get("quotations", ()))
    return all(each.fate == "same" for each in quoted)


def _describe_shifted(pairs: Sequence[Aligned]) -> Iterator[LogChange]:
    """Report, in one sentence, the unchanged entries whose position in the draft has shifted, as after a line
    inserted above them.
    """
    kept = [each for each in pairs if each.fate == "same"]
    shifted = [each for each in kept if where(each.then) != where(each.now)]
    if shifted:
        others = [each.then["number"] for each in shifted[1:]]
        more = f"; so have moved, in the same order, {_count_entries(others)}" if others else ""
        said = f"it is at {where(shifted[0].now)} now{more}"
        yield _of_entry(shifted[0].then, "shifted", said)


def _of_entry(entry: Log, kind: str, message: str) -> LogChange:
    return LogChange(kind, message, entry["number"], name_entry(entry))


def _count_entries(numbers: Sequence[int]) -> str:
    return f"entr{'y' if len(numbers) == 1 else 'ies'} {', '.join(map(str, numbers))}"


def _compare_entries(pair: Aligned) -> Iterator[LogChange]:
    then, now = pair.then, pair.now
    if pair.fate == "added":
        said = name_verdict_of(now).lower()
        yield LogChange("added", f"new in the draft: {name_place(now)} ({said})")
        return
    if pair.fate == "removed":
        yield _of_entry(then, "removed", "it is no longer in the draft")
        return
    if pair.fate == "moved":
        yield _of_entry(then, "moved", f"it is at {where(now)} now, in another order")
    if pair.fate == "altered":
        yield _of_entry(then, "altered", f"it now reads {name_place(now)}")
    for kind, message in compare_assessed(then, now):
        yield _of_entry(then, kind, message)


# -- files ---------------------------------------------------------------------------------------------------


def _compare_files(log: Log, now: FilesNow) -> Iterator[LogChange]:
    """Yield a change for each file in the log that has been changed, moved or removed."""
    for kind, field, folders in (("citation", "authority", now.library), ("record", "papers", now.record)):
        cited: dict[tuple[str, str | None], list[int]] = {}
        for entry in (each for each in log["entries"] if each["kind"] == kind):
            files = entry[field] if isinstance(entry[field], list) else [entry[field]]
            for each in filter(None, files):
                cited.setdefault((each["path"], each["sha256"]), []).append(entry["number"])
        moved = _find_hashes(now.log, kind, field)
        for (path, digest), numbers in cited.items():
            known = [hashed for folder in folders if (hashed := now.hash_file(folder / path)) is not None]
            if digest in known or (known and digest is None):
                continue
            yield _describe_file(path, numbers, bool(known), moved.get(digest or "", ""))


def _describe_file(path: str, numbers: Sequence[int], is_there: bool, moved: str) -> LogChange:
    entries = _count_entries(numbers)
    if is_there:
        return LogChange("file-changed", f"the file {path} has changed ({entries})", numbers[0])
    if moved:
        return LogChange("file-moved", f"the file {path} is {moved} now, unchanged ({entries})", numbers[0])
    return LogChange(
        "file-missing", f"the file {path} is not there or cannot be read ({entries})", numbers[0]
    )


def _find_hashes(log: Log | None, kind: str, field: str) -> Mapping[str, str]:
    """Return the files listed in a new log, by their hashes."""
    found: dict[str, str] = {}
    for entry in log["entries"] if log is not None else ():
        if entry["kind"] == kind:
            files = entry[field] if isinstance(entry[field], list) else [entry[field]]
            found |= {each["sha256"]: each["path"] for each in filter(None, files) if each["sha256"]}
    return found


# -- the library ---------------------------------------------------------------------------------------------


def _compare_libraries(log: Log, now: Log) -> Iterator[LogChange]:
    for name in ("library", "record"):
        then, new = log[name], now[name]
        if then is None or new is None:
            if then != new:
                yield LogChange(
                    name,
                    f"there was {'no' if then is None else 'a'} {name}, and now is{'' if new else ' none'}",
                )
            continue
        if then["documents"] != new["documents"]:
            said = f"documents of the {name}: {then['documents']:,} then, {new['documents']:,} now"
            yield LogChange(f"{name}-documents", said)
        elif then["sha256"] != new["sha256"]:
            yield LogChange(
                f"{name}-files", f"files of the {name} have changed; it has as many documents as then"
            )
        elif then["generation"] != new["generation"]:
            said = f"({then['generation']} then, {new['generation']} now), though its files are the same"
            yield LogChange(f"{name}-generation", f"the index of the {name} has another generation {said}")
        if then["complete"] != new["complete"]:
            said = "not read to its end" if not new["complete"] else "read to its end"
            yield LogChange(f"{name}-complete", f"the {name} is now {said}")
        if then["index"] != new["index"]:
            said = f"the index of the {name} was {then['index']}, and is {new['index']}"
            yield LogChange(f"{name}-index", said)
