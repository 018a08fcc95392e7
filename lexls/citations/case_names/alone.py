"""Find case names without "v", and the capitalised words before a citation."""

from __future__ import annotations

from lexls.citations.case_names.words import WORDS, is_abbreviated, is_capitalised, walk_back
from lexls.citations.scan import PARAGRAPH_BREAK
from lexls.citations.tables import load_patterns
from lexls.text.spans import Span

_PATTERNS = load_patterns("case_names/patterns.toml")
_IN_NAMES = WORDS["in_names"]
_CONNECTORS = WORDS["connectors"]
_IN_TITLES = WORDS["in_titles"]
_SUFFIXES = WORDS["suffixes"]
_INTRODUCING = WORDS["introducing"]
_MARKS = "()[],.;:\"'“”‘’"
_TRAILING = " \t\r\n,.\"'”’“‘("


def find_title_before(text: str, start: int, floor: int) -> Span | None:
    """Return the case name without "v" immediately before a citation with a year: "Kane's Application", "The
    Ida".

    Only text that is almost certainly a name counts: a ship, a matter, two parties, or a name that ends in
    brackets ("MN (Guardianship)").
    """
    low = max(floor, start - 160)
    window = text[low:start].rstrip(" ,")
    if not window or len(text[low:start]) - len(window) > 2 or "\n" in window[-60:]:
        return None
    found = _walk_back_title(window)
    if found is None or _PATTERNS["no_name"].search(window, found[0]):
        return None
    begin, words = found
    if window.endswith("In the ", 0, begin) and window.startswith(("Marriage of ", "Matter of "), begin):
        begin -= len("In the ")
    title = window[begin:]
    named = (
        _PATTERNS["matter"].search(title) is not None
        or (title.startswith("The ") and 2 <= words <= 5)
        or (_PATTERNS["parties"].fullmatch(title) is not None and is_capitalised(title))
        or (title.endswith(")") and words >= 2 and _PATTERNS["bracketed"].search(title) is not None)
    )
    return Span(low + begin, low + len(window)) if named else None


def _walk_back_title(window: str) -> tuple[int, int] | None:
    """Return the start and the number of words of the title with which a text ends, or None if there
    is none.
    """
    found: tuple[int, int] | None = None
    depth, count = 0, len(window.split())
    for index, token, start in walk_back(window):
        depth += token.count(")") - token.count("(")
        last = index + 1 == count
        stops = not last and depth == 0 and token[-1] in ".,;:?!" and "(" not in token
        if depth < 0 or stops:
            break
        if depth > 0 or token.startswith("("):
            continue
        bare = token.strip("()[],.;:\"'“‘’”*").casefold()
        if is_capitalised(token) and (bare not in _INTRODUCING or bare == "the"):
            found = start + len(token) - len(token.lstrip("\"'“‘[")), count - index
            if bare == "the":
                break
        elif bare not in _IN_TITLES or last:
            break
    return found


def find_name_alone(text: str, start: int, floor: int) -> Span | None:
    """Return the case name without "v" before a US-style citation: "See Divineo, Inc., 457 F. …".

    The name must be between a signal, or the previous citation, and a comma. It must contain a word that
    occurs only in names.
    """
    name = find_words_before(text, start)
    if name is None or name.start < floor or _PATTERNS["comma"].fullmatch(text, name.end, start) is None:
        return None
    if _PATTERNS["cited"].search(text, max(floor, name.start - 12), name.start) is None:
        return None
    words = {word.strip(".,'’").casefold() for word in name.of(text).split()}
    telling = words - WORDS["generic"] - _INTRODUCING - _CONNECTORS - _SUFFIXES
    if not telling or words & WORDS["no_parties"] or _PATTERNS["no_name"].search(text, name.start, name.end):
        return None
    return Span(name.start, name.end + text.startswith(".", name.end))


def find_words_before(text: str, end: int, inner: frozenset[str] = frozenset()) -> Span | None:
    """Return the capitalised words that end at ``end``, without signals and words that begin a sentence.

    ``inner`` are lower-case words that are allowed between them.
    """
    low = max(0, end - 120)
    window = text[low:end].rstrip(_TRAILING)
    last = window[-40:].split()[-1:]
    if not last or not _may_end_name(last[0]):
        return None
    if "\n" in text[low + len(window) : end] and PARAGRAPH_BREAK.search(text, low + len(window), end):
        return None
    cut = max(window.rfind("\n\n"), window.rfind("; "), window.rfind(": "))
    base = low + cut + 1
    window = window[cut + 1 :]
    # Commas and full stops can belong to a company's name, so walk back word by word.
    begin = len(window)
    for _, token, start in walk_back(window):
        bare = token.strip(_MARKS).casefold()
        upper = token.lstrip("\"'“‘([")[:1].isupper()
        if begin < len(window):
            if _ends_before(token, window[start + len(token) :]):
                break
            if bare in inner and not upper:
                continue
        if bare in _INTRODUCING and not (bare in ("of", "for") and begin < len(window)):
            break
        if not upper and bare not in _IN_NAMES:
            break
        if upper:
            begin = start + len(token) - len(token.lstrip("\"'“‘(["))
    if begin >= len(window):
        return None
    return Span(base + begin, base + len(window))


def _ends_before(token: str, behind: str) -> bool:
    """Return whether a name must begin after this word, because the word ends a sentence or a quotation, or
    has a comma that cannot be part of a name.
    """
    ending = token.rstrip("\"'”’)]")
    if not ending.endswith((".", "?", "!", ",")):
        return False
    listed = ending.endswith(",")
    if ending != token and not listed:
        return True
    following = behind.split(maxsplit=1)[0].strip(".,").casefold()
    return not (is_abbreviated(ending) or (listed and following in _SUFFIXES))


def _may_end_name(token: str) -> bool:
    """Return whether a name can end with a word."""
    bare = token.strip(_MARKS).casefold()
    return (token.lstrip("\"'“‘([")[:1].isupper() or bare in _IN_NAMES) and bare not in _INTRODUCING
