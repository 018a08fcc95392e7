"""Compare a log's entry (a citation or quotation) with the current findings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from lexls.export.log.alignment import Aligned, align
from lexls.export.log.file import Log
from lexls.export.log.wording import name_support_of, name_verdict_of
from lexls.wording.markdown import shorten

_LONGEST = 120
"""Maximum length of a quotation shown in a change, in code points."""
_STATUSES: Mapping[str, str] = {
    "agrees": "agrees",
    "differs": "differs",
    "not-stated": "not stated in the authority’s file",
    "not-compared": "not compared",
}
"""The wording for each status of a compared element of a citation."""


def compare_assessed(then: Log, now: Log) -> Iterator[tuple[str, str]]:
    """Yield the kind and the description of each change in an entry's assessment."""
    reason = now["reason"] or ""
    if then["verdict"] != now["verdict"]:
        why = f" ({reason})" if reason else ""
        yield "verdict", f"the verdict was {name_verdict_of(then)}, and is {name_verdict_of(now)}{why}"
    elif (then["reason"] or "") != reason:
        yield "reason", f"the reason of the verdict was “{then['reason'] or ''}”, and is “{reason}”"
    if then["kind"] == "citation":
        yield from _compare_citations(then, now)
    elif then["kind"] == "record":
        paths = [[each["path"] for each in one["papers"]] for one in (then, now)]
        if paths[0] != paths[1]:
            was, is_now = (", ".join(each) or "none" for each in paths)
            yield "paper", f"the papers that may be meant were {was}, and are {is_now}"
        if then["found_at"] != now["found_at"]:
            yield (
                "paper-place",
                f"it was found at {then['found_at'] or 'no place'}, and is at {now['found_at']}",
            )
    elif then["original"] != now["original"]:
        yield "quotation", "the words beside the quotation are other words"


def _compare_citations(then: Log, now: Log) -> Iterator[tuple[str, str]]:
    if then["stands_for"] != now["stands_for"]:
        was, is_now = (each["stands_for"] or "itself" for each in (then, now))
        yield "stands-for", f"it stood for {was}, and stands for {is_now}"
    yield from _compare_elements(then["elements"], now["elements"])
    yield from _compare_authorities(then["authority"], now["authority"])
    support = [each["support"]["verdict"] if each["support"] else "" for each in (then, now)]
    if support[0] != support[1]:
        was, is_now = (name_support_of(each) for each in support)
        yield "support", f"whether the authority supports it: was “{was}”, and is “{is_now}”"
    for field, said in (("treatment", "how the library treats the authority"), ("remarks", "the remarks")):
        if then[field] != now[field]:
            was, is_now = ("; ".join(each[field]) or "nothing" for each in (then, now))
            yield field, f"{said}: was “{was}”, and is “{is_now}”"
    for pair in align(then["quotations"], now["quotations"]):
        yield from _compare_quotations(pair)


def _compare_elements(then: Sequence[Log], now: Sequence[Log]) -> Iterator[tuple[str, str]]:
    new = list(now)
    for old in then:
        same = next((each for each in new if _name(each) == _name(old)), None)
        same = same or next((each for each in new if each["element"] == old["element"]), None)
        if same is None:
            yield "element", f"{old['element']} “{old['draft']}” ({_say(old)}) is no longer compared"
            continue
        new.remove(same)
        if old["draft"] != same["draft"]:
            yield "element", f"{_name(old)} ({_say(old)}) is “{same['draft']}” ({_say(same)}) now"
        elif old["status"] != same["status"]:
            yield "element", f"{_name(old)}: {_say(old)} then, {_say(same)} now"
        elif old["authority"] != same["authority"]:
            was, is_now = (one["authority"] or "nothing" for one in (old, same))
            yield "element", f"{_name(old)} was compared with “{was}”, and is with “{is_now}”"
    for each in new:
        yield "element", f"{_name(each)}: {_say(each)} now; it was not compared then"


def _name(element: Log) -> str:
    return f"{element['element']} “{element['draft']}”"


def _say(element: Log) -> str:
    return _STATUSES.get(element["status"], str(element["status"]))


def _compare_authorities(then: Log | None, now: Log | None) -> Iterator[tuple[str, str]]:
    if then is None and now is not None:
        yield "authority-found", f"its authority is {_name_path(now)} now; the library had none for it then"
    elif then is not None and now is None:
        yield "authority-lost", f"its authority was {_name_path(then)}; the library has none for it now"
    elif then is not None and now is not None:
        if _name_path(then) != _name_path(now):
            yield "authority-other", f"its authority was {_name_path(then)}, and is {_name_path(now)}"
        if then["title"] != now["title"]:
            yield "authority-title", f"its authority was called {then['title']}, and is {now['title']}"


def _name_path(authority: Log) -> str:
    return f"{authority['path']}, {authority['part']}" if authority.get("part") else str(authority["path"])


def _compare_quotations(pair: Aligned) -> Iterator[tuple[str, str]]:
    then, now = pair.then, pair.now
    if pair.fate == "added":
        yield "quotation-added", f"new with it: the quotation “{shorten(now['text'], _LONGEST)}”"
        return
    said = f"the quotation “{shorten(then['text'], _LONGEST)}”"
    if pair.fate == "removed":
        yield "quotation-removed", f"{said} is no longer with it"
        return
    if pair.fate == "altered":
        yield "quotation-altered", f"{said} now reads “{shorten(now['text'], _LONGEST)}”"
    if then["verdict"] != now["verdict"]:
        was, is_now = (name_verdict_of({"kind": "quotation", **each}) for each in (then, now))
        yield "quotation-verdict", f"{said}: the verdict was {was}, and is {is_now}"
