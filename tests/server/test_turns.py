"""Work that checks a draft waits for its turn without a thread, and can be cancelled while it does."""

from __future__ import annotations

import asyncio
import threading

import pytest

from lexls.server.server import CHECKERS, WORKERS, LexlsServer
from lexls.server.session import _held
from lexls.text.cancel import Cancelled, CancelToken

MANY = 4 * (CHECKERS + WORKERS)


def test_who_waits_for_a_turn_keeps_no_request_waiting() -> None:
    async def converse() -> None:
        server = LexlsServer()
        begun, go_on = asyncio.Event(), threading.Event()
        loop = asyncio.get_running_loop()
        ran: list[int] = []

        def check(token: CancelToken) -> str:
            loop.call_soon_threadsafe(begun.set)
            go_on.wait()
            return "checked"

        first = asyncio.create_task(server._run_in_turn("a", check))
        await begun.wait()
        waiting = [
            asyncio.create_task(server._run_in_turn("a", lambda token, number=number: ran.append(number)))
            for number in range(MANY)
        ]
        # A hover, and the check of another draft, while all of them wait.
        assert await server.run(lambda token: "hover") == "hover"
        assert await server._run_in_turn("b", lambda token: "other") == "other"
        for task in waiting[1:]:
            task.cancel()
        cancelled = await asyncio.gather(*waiting[1:], return_exceptions=True)
        assert all(isinstance(each, asyncio.CancelledError) for each in cancelled)
        assert not ran
        go_on.set()
        assert await first == "checked"
        await waiting[0]
        assert ran == [0]
        server.shutdown()

    asyncio.run(converse())


def test_a_cancelled_check_gives_its_turn_on_when_its_thread_ends() -> None:
    async def converse() -> None:
        server = LexlsServer()
        begun, go_on = asyncio.Event(), threading.Event()
        loop = asyncio.get_running_loop()
        order: list[str] = []

        def check(token: CancelToken) -> None:
            loop.call_soon_threadsafe(begun.set)
            go_on.wait()
            order.append("cancelled" if token.cancelled else "not cancelled")

        first = asyncio.create_task(server._run_in_turn("a", check))
        await begun.wait()
        second = asyncio.create_task(server._run_in_turn("a", lambda token: order.append("second")))
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        assert not order
        go_on.set()
        await second
        assert order == ["cancelled", "second"]
        server.shutdown()

    asyncio.run(converse())


def test_a_lock_is_waited_for_only_while_the_answer_is_wanted() -> None:
    lock, token = threading.Lock(), CancelToken()
    token.cancel()
    with lock, pytest.raises(Cancelled), _held(lock, token):
        raise AssertionError("the lock is held by another")
    with _held(lock, CancelToken()):
        assert lock.locked()
    assert not lock.locked()
