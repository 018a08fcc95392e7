"""Find the name of a case that has no "v" in it, and the capitalised words before a citation."""

from __future__ import annotations

from lexls.citations.case_names.words import WORDS, is_abbreviated, is_capitalised
from lexls.citations.scan import PARAGRAPH_BREAK
from lexls.citations.tables import load_patterns
from lexls.text.spans import Span

_PATTERNS = load_patterns("case_names/patterns.toml")
_IN_NAMES = WORDS["in_names"]
_CONNECTORS = WORDS["connectors"]
_IN_TITLES = WORDS["in_titles"]
_SUFFIXES = WORDS["suffixes"]
_INTRODUCING = WORDS["introducing"]
_TRAILING = " \t\r\n,.\"'”’“‘("


def find_title_before(text: str, start: int, floor: int) -> Span | None:
    """The name without "v" that stands right before a citation with a year: "Kane's Application", "The Ida".

    Only what can hardly be anything else is one: a ship, a matter of somebody's, two parties, a name with a
    bracket at its end ("MN (Guardianship)").
    """
    low = max(floor, start - 160)
    window = text[low:start].rstrip(" ,")
    if not window or len(text[low:start]) - len(window) > 2 or "\n" in window[-60:]:
        return None
    tokens = window.split()
    begin: int | None = None
    depth = 0
    first, start = len(tokens), len(window)
    for index in range(len(tokens) - 1, -1, -1):
        token = tokens[index]
        start = window.rindex(token, 0, start)
        depth += token.count(")") - token.count("(")
        if depth < 0:
            break
        bare = token.strip("()[],.;:\"'“‘’”*").casefold()
        last = index + 1 == len(tokens)
        if not last and depth == 0 and token[-1] in ".,;:?!" and "(" not in token:
            break
        if depth > 0 or token.startswith("("):
            continue
        if is_capitalised(token) and (bare not in _INTRODUCING or bare == "the"):
            begin, first = start + len(token) - len(token.lstrip("\"'“‘[")), index
            if bare == "the":
                break
        elif bare not in _IN_TITLES or last:
            break
    if begin is None or _PATTERNS["no_name"].search(window, begin):
        return None
    if window.endswith("In the ", 0, begin) and window.startswith(("Marriage of ", "Matter of "), begin):
        begin -= len("In the ")
    title = window[begin:]
    if _PATTERNS["matter"].search(title) or (title.startswith("The ") and 2 <= len(tokens) - first <= 5):
        return Span(low + begin, low + len(window))
    parties = _PATTERNS["parties"].fullmatch(title) is not None and is_capitalised(title)
    bracketed = title.endswith(")") and (len(tokens) - first) >= 2 and _PATTERNS["bracketed"].search(title)
    return Span(low + begin, low + len(window)) if parties or bracketed else None


def find_name_alone(text: str, start: int, floor: int) -> Span | None:
    """The name without "v" that a citation in American style gives its case: "See Divineo, Inc., 457 F. …".

    It stands between a signal or the citation before and a comma, and has a word that only names have.
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
    """The capitalised words that end right before ``end``, signals and sentence starts left out.

    ``inner`` are further lower-case words that may stand between them.
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
    # A company's commas and points belong to its name, so words are walked back one by one.
    begin = position = len(window)
    for token in reversed(window.split()):
        position = window.rindex(token, 0, position)
        bare = token.strip("()[],.;:\"'“”‘’").casefold()
        upper = token.lstrip("\"'“‘([")[:1].isupper()
        ending = token.rstrip("\"'”’)]")
        if begin < len(window) and ending.endswith((".", "?", "!", ",")):
            quoted = ending != token and not ending.endswith(",")
            behind = window[position + len(token) :].split(maxsplit=1)[0].strip(".,").casefold()
            if quoted or not (is_abbreviated(ending) or (ending.endswith(",") and behind in _SUFFIXES)):
                break
        if bare in inner and not upper and begin < len(window):
            continue
        if bare in _INTRODUCING and not (bare in ("of", "for") and begin < len(window)):
            break
        if not upper and bare not in _IN_NAMES:
            break
        if upper:
            begin = position + len(token) - len(token.lstrip("\"'“‘(["))
    if begin >= len(window):
        return None
    return Span(base + begin, base + len(window))


def _may_end_name(token: str) -> bool:
    """Whether a name can end with a word."""
    bare = token.strip("()[],.;:\"'“”‘’").casefold()
    return (token.lstrip("\"'“‘([")[:1].isupper() or bare in _IN_NAMES) and bare not in _INTRODUCING
