"""Make the numbers by which a list of millions of cases is searched for a name and year."""

from __future__ import annotations

from itertools import product
from zlib import crc32

from lexls.citations.case_names.compare import is_office, list_sides, read_party

_LETTERS = 3
"""Letters of a word that abbreviations keep ("Ass'n", "Int'l")."""
_LETTERS_ALONE = 6
"""Letters of the one party that tells a case: the other is an office, as thousands have, or there is none."""
_SIGN = 1 << 31


def hash_name(name: str, year: int) -> tuple[int, ...]:
    """Return the numbers, of 32 bits, under which a case of a name and year is kept.

    Two ways to write a name share a number unless they begin both parties with other words; different names
    may share one as well, so what is found must be compared.
    """
    parties = [list(party) for side in list_sides(name.casefold()) if (party := read_party(side))]
    named = [party for party in parties if not is_office(tuple(party))] or parties
    letters = _LETTERS if len(named) > 1 else _LETTERS_ALONE
    words = [sorted({party[0][:letters], party[-1][:letters]}) for party in named[:2]]
    found = {" ".join((*sorted(each), str(year))) for each in product(*words)} if words else ()
    return tuple(crc32(each.encode()) - _SIGN for each in sorted(found))
