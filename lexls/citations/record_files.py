"""Identify the papers of a record in a file by its name, "031-2 Smith Decl.pdf", or else by the beginning of
its text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from lexls.citations.record import key_of_tab
from lexls.citations.record_names import PaperName, RecordForms, find_names, load_record_forms, write_person
from lexls.citations.scan import Scan

_HEAD = 4000
"""Number of code points at the beginning of a text in which its title and court stamp are looked for."""
_APART = re.compile(r"(?<=[A-Za-z])[-.](?=[A-Za-z\d])|_+")
_STOP = re.compile(r"(?<=[A-Za-z])\.(?=\s|$)")
_NUMBERED = re.compile(r"\d{1,9}[a-z]")


def name_papers(relative: str, text: str) -> tuple[str, ...]:
    """Return the keys of the papers in a file, or none if they cannot be identified.

    ``relative`` is the file's path below the exhibits folder, with "/". The folders in it may show whose
    exhibit it is ("Smith Decl/Ex A.pdf"). ``text`` is the file's text, used only if the path is not enough.
    """
    forms = load_record_forms()
    *folders, file = relative.split("/")
    stem = file.rpartition(".")[0] or file
    found = list(_of_name(stem, folders[-1] if folders else "", forms))
    return tuple(dict.fromkeys(found or _of_head(text[:_HEAD], forms)))


def _of_name(stem: str, folder: str, forms: RecordForms) -> Iterator[str]:
    pacer = forms.files["pacer"].match(stem)
    if pacer is not None:
        yield _docket(pacer)
        return
    rest = _spaced(stem)
    if (date := forms.files["date"].match(rest)) is not None:
        rest = rest[date.end() :]
    if (docket := forms.files["docket"].match(rest)) is not None:
        yield _docket(docket)
        rest = rest[docket.end() :]
    above = _capitalised(_spaced(folder), forms).removesuffix(" Exhibits")
    exhibit = False
    for place, segment in enumerate(forms.files["segments"].split(rest)):
        written = _capitalised(segment, forms)
        keys = list(_of_segment(written, forms))
        if above and not place:
            below = list(_of_segment(f"{above} {written}", forms))
            own = list(_of_segment(above, forms))
            says = own or any(each.fullmatch(above) for each in forms.owners.values())
            keys = below if says and keys and below and below != own else keys
        if keys and not exhibit:
            yield from keys
        exhibit = exhibit or any(" ex " in f" {each}" or each.startswith("annexure") for each in keys)


def _of_segment(written: str, forms: RecordForms) -> Iterator[str]:
    bundle = forms.files["bundle"].match(written)
    if bundle is not None:
        parts = ("bundle", bundle["letters"] or bundle["bundle"] or "", bundle["tab"] or "")
        yield " ".join(filter(None, parts)).lower()
        return
    witness = forms.files["witness"].match(written)
    if witness is not None and witness["person"] not in forms.by_word:
        yield f"ws {write_person(witness['person'])} {witness['number']}"
        return
    names = list(find_names(Scan(written), forms))
    if names and not names[0].start and not names[0].several:
        yield from _of_names(written, names[0], names[1:], forms)


def _of_names(
    written: str, first: PaperName, others: Sequence[PaperName], forms: RecordForms
) -> Iterator[str]:
    """Yield the keys of a file whose name begins with one paper's name; ``others`` are further papers' names
    in it.
    """
    behind = next((each for each in others if each.paper.is_exhibit), None)
    if behind and not first.paper.is_exhibit and not written[first.end : behind.start].strip(" .,"):
        yield from (f"{key} {behind.key}" for key in list_file_keys(first))  # "Smith Decl. Ex. A"
        if first.paper.numbered != "docket":
            return
    gap = written[first.end : others[0].start] if others else ""
    if others and first.paper.is_exhibit and gap.strip() == "to":  # "Ex. A to Smith Decl."
        yield from (f"{key} {first.key}" for key in list_file_keys(others[0]))
        return
    if others and others[0].paper.numbered == "tab" and not gap.strip(" ,.-"):
        yield from (key_of_tab(key, others[0]) for key in list_file_keys(first))
        return
    if first.paper.key == "tr" and (day := forms.files["day"].search(written)) is not None:
        yield f"tr day {day['day']}"
    yield from list_file_keys(first)


def list_file_keys(name: PaperName) -> Iterator[str]:
    """Yield all keys by which citations may refer to a file with this name, since they may be less or more
    specific.

    In a key, "any" replaces a first name or volume that the file's name omits.
    """
    words = name.person.split()
    people = [name.person]
    if name.paper.person and not name.paper.is_exhibit:
        if len(words) > 1:
            initials = " ".join(word[0] for word in words[:-1])
            people += [f"{initials} {words[-1]}", f"{words[0][0]} {words[-1]}", words[-1]]
        elif words:
            people.append(f"any {words[0]}")
    volumes = [name.volume, ""] if name.volume else ["", "any"] if name.paper.bare else [""]
    for person in dict.fromkeys(people):
        for volume in volumes:
            yield replace(name, person=person, volume=volume).key
            if name.paper.key == "ws" and name.qualifiers and name.qualifiers[0].isdigit():
                yield f"ws {person} {name.qualifiers[0]}"


def _of_head(head: str, forms: RecordForms) -> Iterator[str]:
    stamp = forms.files["stamp"].search(head)
    if stamp is not None:
        yield _docket(stamp)
    for match in forms.files["title"].finditer(head):
        written = match["title"].strip()
        if not written.isupper() and not match.group().lstrip().startswith("#"):
            continue
        title = _capitalised(written, forms)
        names = list(find_names(Scan(title), forms))
        if names and not names[0].start and names[0].paper.titles:
            yield from list_file_keys(names[0])
            return


def _docket(match: re.Match[str]) -> str:
    part = int(match["part"] or 0)
    return f"dkt {int(match['number'])}" + (f"-{part}" if part else "")


def _spaced(name: str) -> str:
    """Return a file name with spaces instead of other separators."""
    if " " not in name.strip():
        name = _APART.sub(" ", name)
    return " ".join(_STOP.sub(". ", name.replace("_", " ").replace("+", " ")).split())


def _capitalised(name: str, forms: RecordForms) -> str:
    """Capitalise a title in the way that drafts write names of papers."""
    words = []
    for word in name.split():
        bare = word.strip(".")
        if bare.isupper() and bare.capitalize() in forms.by_word:
            word = word.capitalize()
        elif (bare.upper() in forms.by_word and len(bare) > 1) or _NUMBERED.fullmatch(word):
            word = word.upper()
        elif word.islower() or (word.isupper() and len(bare) > 3):
            word = word if bare in ("of", "to", "for", "the", "and", "in", "re") else word.capitalize()
        words.append(word)
    return " ".join(words).replace(" Of ", " of ").replace(" OF ", " of ").replace(" TO ", " to ")
