"""What kind of document a head belongs to, and what it says."""

from __future__ import annotations

from lexls.library.case_heads import case_name, is_case_title, read_judgment, read_slip_opinion
from lexls.library.contract_heads import read_contract
from lexls.library.document import Metadata
from lexls.library.enactment_heads import read_enactment, read_section_file, read_united_states_code
from lexls.library.head import Head

_LONGEST_TITLE = 120


def read_head(head: Head, stem: str, weak_title: str) -> Metadata:
    """What the head says; without a known form, only a title.

    The title then is a declared heading, else ``weak_title``, else a short first line, else the file's
    ``stem``.
    """
    found = (
        read_slip_opinion(head, stem)
        or read_judgment(head)
        or read_section_file(head)
        or read_united_states_code(head)
        or read_enactment(head)
        or read_contract(head, stem)
    )
    if found is not None:
        return found
    title = head.heading or weak_title or _first_line(head)
    if not title:
        return Metadata(title=name_of(stem))
    return Metadata(title=case_name(title) if is_case_title(title) else title)


def name_of(stem: str) -> str:
    """A title made of a file's name without its suffix."""
    return " ".join(stem.replace("_", " ").split()) or stem


def _first_line(head: Head) -> str:
    """The first line if it can be a title: short, and neither a sentence nor an item of a list."""
    line = head.lines[0] if head.lines else ""
    if not line or len(line) > _LONGEST_TITLE or not line[0].isalpha():
        return ""
    if line[-1] in ".;:," and len(line.split()) > 6:
        return ""
    return line
