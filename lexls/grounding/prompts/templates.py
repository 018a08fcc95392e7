"""Parse prompt templates, built-in and the user's, and fill them in for a request."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Literal

from lexls.grounding.answer import Request, Turn
from lexls.grounding.evidence import Evidence
from lexls.library.readers.plain import read_front_matter
from lexls.wording.place_words import cite_authority, cite_place

TemplateName = Literal["explain", "ask", "draft", "contrary", "sentence", "keywords"]
"""The name of a template: a ``Request`` task, for a complete prompt to a remote model; ``sentence``, for a
local model's prompt about one quotation; or ``keywords``, for search keywords.
"""
TEMPLATE_NAMES: tuple[TemplateName, ...] = ("explain", "ask", "draft", "contrary", "sentence", "keywords")
LONGEST = 65_536
"""Maximum size of a template in bytes."""

_ANSWERING = frozenset({"evidence", "question", "history", "delimiter", "sentences"})
_NEEDED: Mapping[TemplateName, frozenset[str]] = {
    "explain": _ANSWERING | {"pinpoint"},
    "ask": _ANSWERING,
    "draft": _ANSWERING,
    "contrary": _ANSWERING,
    "sentence": frozenset({"quotation", "about"}),
    "keywords": frozenset({"question", "most"}),
}
_PLACEHOLDER = re.compile(r"\{\{([^{}\n]{0,60})\}\}")
_SECTION = re.compile(r"^#[ \t]{1,8}(System|User|Assistant)[ \t]{0,8}$", re.MULTILINE | re.IGNORECASE)


class PromptTemplateError(Exception):
    """Raised if a template cannot be used. The message names the file and the reason."""


@dataclass(frozen=True, slots=True)
class Template:
    """A model's instructions, with ``{{placeholders}}`` for the parts that change.

    ``system`` has the rules and ``user`` the input. ``examples`` are pairs of a question and a correct
    answer; in the prompt they are between the rules and the input. ``own`` is true for the user's own file.
    """

    name: TemplateName
    version: int
    system: str
    user: str
    examples: tuple[tuple[str, str], ...] = ()
    own: bool = False

    @property
    def label(self) -> str:
        """Return the display name with the version: "ask 1", or "ask 3 (your own)" for a template of the
        user.
        """
        return f"{self.name} {self.version}" + (" (your own)" if self.own else "")


def load_template(task: TemplateName, folder: Path | None = None) -> Template:
    """Return the template for ``task``: ``<task>.md`` in ``folder`` if it exists, otherwise the built-in one.

    Raises ``PromptTemplateError``.
    """
    if folder is not None:
        path = folder / f"{task}.md"
        if path.is_file():
            return parse_template(task, _read(path), str(path), own=True)
        if not folder.is_dir():
            raise PromptTemplateError(f"{folder}: the folder of explain.promptFolder does not exist")
    return parse_template(task, read_own_template(task), f"{task}.md")


def read_own_template(task: TemplateName) -> str:
    """Return the text of a built-in template file."""
    return resources.files(__package__).joinpath(f"{task}.md").read_text(encoding="utf-8")


def parse_template(task: TemplateName, text: str, file: str, *, own: bool = False) -> Template:
    """Parse a template; messages refer to it as ``file``. Raises ``PromptTemplateError``."""
    version, body = _head(task, text.replace("\r\n", "\n"), file)
    system, *turns, user = _sections(body, file)
    named: list[str] = _PLACEHOLDER.findall(system + user)
    unknown = [each for each in named if each not in _NEEDED[task]]
    if unknown:
        raise PromptTemplateError(
            f"{file}: unknown placeholder {{{{{unknown[0]}}}}}; there are {_listed(_NEEDED[task])}"
        )
    missing = _NEEDED[task] - set(named)
    if missing:
        raise PromptTemplateError(f"{file}: missing placeholder {_listed(missing)}")
    return Template(task, version, system, user, tuple(zip(turns[::2], turns[1::2], strict=True)), own)


def substitute(text: str, values: Mapping[str, str]) -> str:
    """Replace the placeholders in ``text`` with their values, which are not parsed again.

    Blank lines left by an empty value are removed.
    """
    pieces: list[str] = []
    position = 0
    for match in _PLACEHOLDER.finditer(text):
        if match[1] not in values:
            continue
        piece = text[position : match.start()]
        if not values[match[1]] and piece.endswith("\n\n") and text.startswith("\n", match.end()):
            piece = piece.rstrip("\n")
        pieces += [piece, values[match[1]]]
        position = match.end()
    return "".join([*pieces, text[position:]]).strip()


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(LONGEST + 1)
        if len(data) > LONGEST:
            raise PromptTemplateError(f"{path}: longer than {LONGEST} bytes")
        return data.decode("utf-8-sig")
    except OSError as error:
        raise PromptTemplateError(f"{path}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise PromptTemplateError(f"{path}: not UTF-8 (byte {error.start})") from error


def _head(task: TemplateName, text: str, file: str) -> tuple[int, str]:
    """Return the version in the front matter, and the text after it."""
    values, end, warnings = read_front_matter(text)
    if warnings:
        raise PromptTemplateError(f"{file}: {warnings[0].partition(';')[0]}")
    if not end:
        raise PromptTemplateError(f'{file}: it must begin with front matter: "task: {task}" and "version: 1"')
    unknown = sorted(set(values) - {"task", "version"})
    if unknown:
        raise PromptTemplateError(
            f'{file}: front matter has "{unknown[0]}"; only task and version belong there'
        )
    if values.get("task") != task:
        raise PromptTemplateError(
            f'{file}: "task" of the front matter must be "{task}", as the file is named'
        )
    version = values.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise PromptTemplateError(f'{file}: "version" of the front matter must be a whole number above 0')
    return version, text[end:]


def _sections(body: str, file: str) -> list[str]:
    """Return the system section, the user and assistant sections of the examples, and the final user
    section.
    """
    parts = _SECTION.split(body)
    if parts[0].strip():
        raise PromptTemplateError(f'{file}: there is text before the heading "# System"')
    names = [each.lower() for each in parts[1::2]]
    if (
        names[:1] != ["system"]
        or names[-1:] != ["user"]
        or names[1:-1] != ["user", "assistant"] * (len(names) // 2 - 1)
    ):
        raise PromptTemplateError(
            f'{file}: it must have the headings "# System" and "# User", once, in this order; between them '
            'may stand examples, each under "# User" and "# Assistant"'
        )
    found = [each.strip() for each in parts[2::2]]
    for name, text in zip(names, found, strict=True):
        if not text:
            raise PromptTemplateError(f'{file}: nothing stands under "# {name.title()}"')
    return found


def _listed(names: Sequence[str] | frozenset[str]) -> str:
    return ", ".join(f"{{{{{each}}}}}" for each in sorted(names))


TURNS = 4
"""Maximum number of earlier turns in a prompt; the latest ones are used."""
TURN_CHARS = 1200
"""Maximum length in characters of an earlier question, and of an earlier answer."""
_SIGN_CHARS = 20
_PLACES = 8
"""Maximum number of pinpoints listed for one passage. If there are more, only the first and the last are
given.
"""

_LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
# Controls, halves of surrogate pairs, and characters nobody sees: marks of direction (which make a text read
# otherwise than it is written) and tags (in which whole sentences can be hidden).
_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1b\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff\U000e0000-\U000e007f]"
)


@dataclass(frozen=True, slots=True)
class Prompt:
    """The messages sent to a model. ``template`` is the label of the template used."""

    system: str
    user: str
    template: str


def fill(request: Request, template: Template, secret: bytes) -> Prompt:
    """Return the prompt for a request. ``secret`` is the key for the delimiter of the evidence.

    Nobody without the secret can write the delimiter into a document. The same evidence always gets the same
    delimiter, so that the model's prompt cache remains valid.
    """
    sign = make_delimiter(request.evidence, secret)
    values = {
        "delimiter": sign,
        "evidence": "\n\n".join(write_evidence(each, sign) for each in request.evidence) or "(none)",
        "history": _history(request.history, sign),
        "pinpoint": _pinpoint(request),
        "question": clean_line(request.question),
        "sentences": str(request.sentences),
    }
    return Prompt(substitute(template.system, values), substitute(template.user, values), template.label)


def make_delimiter(evidence: Sequence[Evidence], secret: bytes) -> str:
    """Return the delimiter for this evidence; none of the evidence contains it."""
    digest = hmac.new(secret, digestmod=hashlib.sha256)
    for each in evidence:
        for part in (each.identifier, str(each.authority.id), cite_authority(each.authority), each.text):
            data = part.encode("utf-8", "surrogatepass")
            digest.update(len(data).to_bytes(8, "big") + data)
    sign = digest.hexdigest()[:_SIGN_CHARS]
    while any(sign in each.text or sign in cite_authority(each.authority) for each in evidence):
        digest.update(b"again")
        sign = digest.hexdigest()[:_SIGN_CHARS]
    return sign


def write_evidence(evidence: Evidence, sign: str) -> str:
    """Return a passage between its two delimiter lines, with its source, its pinpoints and its text."""
    lines = [f"From: {clean_line(cite_authority(evidence.authority))}"]
    place = _place(evidence)
    if place:
        lines.append(f"Place: {place}")
    return mark_quoted(sign, evidence.identifier, [*lines, "Text:", clean_text(evidence.text).strip()])


def mark_quoted(sign: str, name: str, lines: Iterable[str]) -> str:
    """Return text from documents between two delimiter lines that no document can imitate."""
    return "\n".join([f"<<<{sign} {name} begins>>>", *lines, f"<<<{sign} {name} ends>>>"])


def clean_text(text: str) -> str:
    """Return ``text`` prepared for a model: without invisible characters, and with uniform line ends."""
    return _UNSEEN.sub("", _LINE_ENDS.sub("\n", text))


def clean_line(text: str) -> str:
    """Return ``text`` cleaned for a model, on one line."""
    return " ".join(clean_text(text).split())


def _place(evidence: Evidence) -> str:
    """Return the passage's pinpoints as they are cited, with a remark on those that the citation
    refers to.
    """
    found: dict[str, bool] = {}
    for each in evidence.segments:
        place = cite_place(evidence.authority, each.label, each.page)
        if place:
            found[place] = found.get(place, False) or each.at_pinpoint
    pointed = [place for place, at_pinpoint in found.items() if at_pinpoint]
    words = _few(list(found))
    if pointed:
        words += f" (the citation points at {'this place' if len(found) == 1 else _few(pointed)})"
    return clean_line(words)


def _few(listed: Sequence[str]) -> str:
    if len(listed) > _PLACES:
        return f"{listed[0]} to {listed[-1]}"
    return ", ".join(listed)


def _history(turns: Sequence[Turn], sign: str) -> str:
    """Return the latest turns between delimiter lines, like a passage, since answers also contain text from
    documents.
    """
    if not turns:
        return ""
    told = [f"<<<{sign} earlier questions and answers begin>>>"]
    for turn in turns[-TURNS:]:
        answer = _cut(clean_line(" ".join(turn.answer))) or "(not answered)"
        told.append(f"Earlier question: {_cut(clean_line(turn.question))}\nEarlier answer: {answer}")
    return "\n".join([*told, f"<<<{sign} earlier questions and answers end>>>"])


def _cut(line: str) -> str:
    return line if len(line) <= TURN_CHARS else line[:TURN_CHARS].rpartition(" ")[0] + " …"


def _pinpoint(request: Request) -> str:
    if not request.pinpoint:
        return ""
    place = clean_line(request.pinpoint)
    if request.pinpoint_found:
        return f"The citation points at {place}: what stands there matters most."
    return f"The citation points at {place}, which the authority does not have."
