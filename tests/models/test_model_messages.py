"""Messages between lexls and its model process."""

from __future__ import annotations

import io

import pytest

from lexls.models.messages import BrokenStream, Message, pack_texts, read_message, unpack_texts


class OneByteAtATime(io.BytesIO):
    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(min(1, size or 0))


def test_messages_come_back_as_they_were_sent_however_the_pipe_cuts_them() -> None:
    sent = [Message({"id": 1, "do": "ünder"}, b"\x00\xff" * 40), Message({"id": 2}), Message({"id": 3}, b"x")]
    stream = OneByteAtATime(b"".join(message.encode() for message in sent))
    assert [read_message(stream) for _ in sent] == sent
    assert read_message(stream) is None


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        (b"Loading weights: 100%\n", "no message is"),
        (b"\x00\x00\x00\x04\x00\x00\x00\x00nope", "no JSON"),
        (b"\x00\x00\x00\x02\x00\x00\x00\x00{}", "with an id"),
        (b"\x00\x00\x00\x02\x00\x00\x00\x00[]", "with an id"),
        (Message({"id": 1}, b"payload").encode()[:-1], "ended within"),
        (b"\x00\x00\x00", "ended within"),
    ],
)
def test_what_is_no_message_is_noticed(sent: bytes, reason: str) -> None:
    with pytest.raises(BrokenStream, match=reason):
        read_message(io.BytesIO(sent))


def test_a_message_that_is_too_long_is_not_sent() -> None:
    with pytest.raises(ValueError, match="too long"):
        Message({"id": 1, "with": "a" * 2_000_000}).encode()


def test_texts_come_back_in_order_and_half_a_surrogate_pair_does_no_harm() -> None:
    texts = ["§ 12", "", "a\x00b\r\n", "“quoted”", "\ud83d cut"]
    assert unpack_texts(*pack_texts(texts)) == (*texts[:-1], "? cut")


@pytest.mark.parametrize("lengths", [[2, 2], [5, -1], [6]])
def test_lengths_that_do_not_fit_are_noticed(lengths: list[int]) -> None:
    with pytest.raises(BrokenStream, match="lengths"):
        unpack_texts(lengths, b"seven"[:5] if lengths != [5, -1] else b"four")
