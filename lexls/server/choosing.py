"""Let the user choose among actions, in clients that show no list of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lsprotocol import types as t

from lexls.server.answering import shows_answers
from lexls.server.protocol import read_place
from lexls.server.server import DocumentRequest, LexlsServer

MOST = 5
"""Editors show the choices as buttons, or as one line."""
LONGEST = 80
"""Code points of a title."""
"""Code points of a title."""


def register(server: LexlsServer) -> None:
    """Offer the command that lists what the menu at the cursor has no room for."""

    @server.command("lexls.more")
    async def more(ls: LexlsServer, argument: Any = None) -> list[t.CodeAction] | None:
        uri, range_ = read_place(argument)

        def work(asked: DocumentRequest) -> list[t.CodeAction]:
            from lexls.server.code_action import offer_more

            return offer_more(asked, asked.span(range_), range_)

        actions = await ls.answer(uri, work, None)
        if actions:
            offer(ls, argument, "What next?", actions)
        return actions


def offer(ls: LexlsServer, argument: Any, question: str, actions: Sequence[t.CodeAction]) -> None:
    """Let the user choose, where a menu ran the command (``show``) in a client that has no list for it."""
    if argument.get("show") and not shows_answers(ls):
        ls.spawn(_choose(ls, question, actions))


async def _choose(ls: LexlsServer, question: str, actions: Sequence[t.CodeAction]) -> None:
    """Ask which of the first actions to take, and take it."""
    titles = {cut_title(each.title): each for each in actions[:MOST]}
    items = [t.MessageActionItem(title) for title in titles]
    request = t.ShowMessageRequestParams(t.MessageType.Info, f"lexls: {question}", items)
    answer = await ls.window_show_message_request_async(request)
    chosen = titles.get(answer.title) if answer is not None else None
    if chosen is None:
        return
    if chosen.edit is not None:
        await ls.workspace_apply_edit_async(t.ApplyWorkspaceEditParams(chosen.edit, chosen.title))
    if chosen.command is not None:
        command = ls.protocol.fm.commands[chosen.command.command]
        await command(*(chosen.command.arguments or ()))


def cut_title(title: str) -> str:
    """``title``, or as many of its words as ``LONGEST`` allows, with " …"."""
    return title if len(title) <= LONGEST else title[: LONGEST - 2].rsplit(" ", 1)[0] + " …"
