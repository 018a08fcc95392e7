"""What a quoting author notes inside a quotation: "[sic]", "(emphasis added)"."""

from __future__ import annotations

import re

_NOUNS = (
    r"emphas[ie]s|italics?|underlin\w{2,5}|citations?|footnotes?|references?|quotations?|marks?|alterations?|"
    r"brackets?|ellips[ie]s|internal|original|authorities"
)
_DONE = r"added|omitted|supplied|mine|ours|deleted|removed|original|source|theirs|emitted|altered"
EDITORIAL = re.compile(
    rf"[\[(]\s{{0,3}}(?:sic|emphasis|italics|ibid|(?:[\w’']{{1,12}}[\s;,]{{1,3}}){{0,6}}(?:{_NOUNS})"
    rf"(?:[\s;,]{{1,3}}[\w’']{{1,12}}){{0,7}}[\s;,]{{1,3}}(?:{_DONE}))\s{{0,3}}\.?\s{{0,3}}[\])]",
    re.IGNORECASE,
)
"""A note of whoever quotes, in brackets of either kind; no part of what is quoted."""
