"""Writing GBNF, the notation of llama.cpp's grammars."""

from __future__ import annotations


def literal(text: str) -> str:
    """``text`` as a terminal: exactly these characters. It must hold no halves of surrogate pairs."""
    return '"' + "".join(map(_escaped, text)) + '"'


def several(rule: str, most: int) -> str:
    """One to ``most`` of ``rule`` (its name) with commas between them."""
    return rule if most <= 1 else f'{rule} ("," {rule}){{0,{most - 1}}}'


def between(rule: str, least: int, most: int) -> str:
    """From ``least`` to ``most`` of ``rule`` (its name) in a row."""
    return f"{rule}{{{least},{most}}}"


def _escaped(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    code = ord(character)
    if code < 0x20 or 0x7F <= code <= 0x9F:
        return f"\\x{code:02X}"
    if code in (0x2028, 0x2029):
        return f"\\u{code:04X}"
    return character
