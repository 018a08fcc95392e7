"""Compute the hashes under which each of millions of cases is stored, to find it by name and year."""

from __future__ import annotations

from itertools import product
from zlib import crc32

from lexls.citations.case_names.compare import is_office, list_sides, read_party

_LETTERS = 3
"""Number of initial letters of a word that abbreviations keep ("Ass'n", "Int'l")."""
_LETTERS_ALONE = 6
"""Number of letters of a word that are used if the other party is a common office or missing, so that one
party must identify the case.
"""
_SIGN = 1 << 31


def hash_name(name: str, year: int) -> tuple[int, ...]:
    """Return the signed 32-bit hashes under which a case of this name and year is stored.

    Two spellings of a name share a hash unless both parties begin and end with different words. Different
    names may also share one, so the caller must compare the names found.
    """
    parties = [list(party) for side in list_sides(name.casefold()) if (party := read_party(side))]
    named = [party for party in parties if not is_office(tuple(party))] or parties
    letters = _LETTERS if len(named) > 1 else _LETTERS_ALONE
    words = [sorted({party[0][:letters], party[-1][:letters]}) for party in named[:2]]
    found = {" ".join((*sorted(each), str(year))) for each in product(*words)} if words else ()
    return tuple(crc32(each.encode()) - _SIGN for each in sorted(found))
