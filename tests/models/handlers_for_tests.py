"""Work that the tests give the model process to do."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Mapping

from lexls.models.messages import Handler, Job, JobRefused, ModelAnswer


def lengths(job: Job) -> Iterator[ModelAnswer]:
    """The length of each text, and its first character as bytes; one answer a text."""
    for text in job.texts:
        yield ModelAnswer({"length": len(text), **job.arguments}, text[:1].encode())


def slowly(job: Job) -> Iterator[ModelAnswer]:
    """One answer now and then until it is cancelled; leaves a file behind when it is."""
    number = 0
    try:
        while True:
            yield ModelAnswer({"number": number})
            number += 1
            time.sleep(0.01)
    finally:
        with open(job.arguments["trace"], "w", encoding="utf-8") as trace:
            trace.write(f"stopped, cancelled: {job.token.cancelled}")


def deafly(job: Job) -> Iterator[ModelAnswer]:
    """Never answers and never looks whether it is wanted."""
    while True:
        time.sleep(1)
    yield ModelAnswer({})


def dying(job: Job) -> Iterator[ModelAnswer]:
    """Answers once and ends the process."""
    yield ModelAnswer({"pid": os.getpid()})
    os._exit(7)


def chatting(job: Job) -> Iterator[ModelAnswer]:
    """Writes to standard output in every way there is, and answers."""
    print("a chatty library")
    sys.stdout.flush()
    os.write(1, b"\x00\x00\x00\x02\x00\x00\x00\x00{}")
    os.system("echo from a child of it")
    yield ModelAnswer({"said": True})


def about_itself(job: Job) -> Iterator[ModelAnswer]:
    """What the process may do and where it looks for code."""
    offline = os.environ.get("HF_HUB_OFFLINE", "")
    yield ModelAnswer({"pid": os.getpid(), "offline": offline, "path": sys.path, "read": sys.stdin.read()})


def refusing(job: Job) -> Iterator[ModelAnswer]:
    """Cannot be done, for a reason the user can mend."""
    raise JobRefused("the model wants more memory; name a smaller one")
    yield ModelAnswer({})


def failing(job: Job) -> Iterator[ModelAnswer]:
    """Fails, with the text it was given in the message."""
    raise RuntimeError(f"cannot read {job.texts[0]}")
    yield ModelAnswer({})


def garbling(job: Job) -> Iterator[ModelAnswer]:
    """Sends what is no message where only messages should be."""
    yield ModelAnswer({"pid": os.getpid()})
    for descriptor in range(3, 20):
        try:
            os.write(descriptor, b"this is no message at all")
        except OSError:
            continue
    time.sleep(60)


def open_handlers() -> Mapping[str, Handler]:
    """All of them, by their names."""
    found = (lengths, slowly, deafly, dying, chatting, about_itself, refusing, failing, garbling)
    return {handler.__name__: handler for handler in found}
