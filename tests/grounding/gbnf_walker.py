"""A small reader of GBNF, by which grammars are tried without llama.cpp."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field

_TOKEN = re.compile(
    r"""\s*(?:(?P<string>"(?:[^"\\]|\\.)*")|(?P<set>\[(?:[^\]\\]|\\.)*\])|(?P<name>[A-Za-z0-9-]+)"""
    r"""|(?P<times>\{\d+,\d+\})|(?P<sign>[|()]))"""
)
_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|(.))", re.DOTALL)


def _plain(text: str) -> str:
    return _ESCAPE.sub(lambda m: chr(int(m[1] or m[2], 16)) if m[1] or m[2] else m[3], text)


@dataclass(eq=False)
class Node:
    """``kind``: "text", "set", "rule", "all" or "any"; each may be repeated ``least`` to ``most`` times."""

    kind: str
    text: str = ""
    parts: list[Node] = field(default_factory=list)
    least: int = 1
    most: int = 1


class Grammar:
    def __init__(self, source: str) -> None:
        self.rules: dict[str, Node] = {}
        for line in source.split("\n"):
            if not line:
                continue
            name, divider, body = line.partition(" ::= ")
            assert divider, line
            assert re.fullmatch(r"[A-Za-z0-9-]+", name), name
            assert name not in self.rules, name
            self.rules[name], rest = self._any(body)
            assert not rest.strip(), rest
        self._check()

    def _check(self) -> None:
        stack = list(self.rules.values())
        while stack:
            node = stack.pop()
            assert node.kind != "rule" or node.text in self.rules, node.text
            stack += node.parts

    def _any(self, body: str) -> tuple[Node, str]:
        choices = [Node("all")]
        while body.strip() and not body.lstrip().startswith(")"):
            token = _TOKEN.match(body)
            assert token, body[:60]
            body = body[token.end() :]
            if token["times"]:
                last = choices[-1].parts[-1]
                last.least, last.most = map(int, token["times"][1:-1].split(","))
            elif token["string"]:
                choices[-1].parts.append(Node("text", _plain(token["string"][1:-1])))
            elif token["set"]:
                inside = token["set"][1:-1]
                # Python's sets are written in the same way.
                choices[-1].parts.append(Node("set", f"[{inside}]"))
            elif token["name"]:
                choices[-1].parts.append(Node("rule", token["name"]))
            elif token["sign"] == "|":
                choices.append(Node("all"))
            else:
                group, body = self._any(body)
                assert body.lstrip().startswith(")")
                body = body.lstrip()[1:]
                choices[-1].parts.append(group)
        return Node("any", parts=choices), body

    def walk(self, chance: random.Random, alphabet: str, rule: str = "root") -> str:
        """A string of the language; characters of sets are drawn from ``alphabet``."""
        out: list[str] = []
        stack = [Node("rule", rule)]
        while stack:
            node = stack.pop()
            count = min(chance.randint(node.least, node.most), node.least + 40)
            if count != 1 or node.most != 1:
                stack += [Node(node.kind, node.text, node.parts)] * count
            elif node.kind == "text":
                out.append(node.text)
            elif node.kind == "set":
                out.append(chance.choice([c for c in alphabet if re.fullmatch(node.text, c)]))
            elif node.kind == "rule":
                stack.append(self.rules[node.text])
            elif node.kind == "any":
                stack.append(chance.choice(node.parts))
            else:
                stack += reversed(node.parts)
        return "".join(out)

    def accepts(self, text: str, rule: str = "root") -> bool:
        return len(text) in self._ends(Node("rule", rule), text, 0, {})

    def _ends(self, node: Node, text: str, at: int, known: dict[tuple[int, int], set[int]]) -> set[int]:
        found: set[int] = {at} if node.least == 0 else set()
        reached = {at}
        for count in range(1, node.most + 1):
            reached = (
                set().union(*(self._once(node, text, each, known) for each in reached)) if reached else set()
            )
            if count >= node.least:
                found |= reached
            if not reached:
                break
        return found

    def _once(self, node: Node, text: str, at: int, known: dict[tuple[int, int], set[int]]) -> set[int]:
        if node.kind == "text":
            return {at + len(node.text)} if text.startswith(node.text, at) else set()
        if node.kind == "set":
            return {at + 1} if at < len(text) and re.fullmatch(node.text, text[at]) else set()
        key = (id(node), at)
        if key not in known:
            if node.kind == "rule":
                known[key] = self._ends(self.rules[node.text], text, at, known)
            elif node.kind == "any":
                known[key] = set().union(*(self._ends(part, text, at, known) for part in node.parts))
            else:
                ends = {at}
                for part in node.parts:
                    ends = (
                        set().union(*(self._ends(part, text, each, known) for each in ends))
                        if ends
                        else set()
                    )
                known[key] = ends
        return known[key]
