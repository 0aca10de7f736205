"""The head and the content of an answer leave in one piece, and nothing stays behind."""

import asyncio

from mineproof.web.server import _Joining


class Recorded(asyncio.Transport):
    """Records its calls."""

    def __init__(self) -> None:
        super().__init__()
        self.done: list[bytes | str] = []

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.done.append(bytes(data))

    def close(self) -> None:
        self.done.append("closed")

    def get_write_buffer_size(self) -> int:
        return 0

    def is_closing(self) -> bool:
        return "closed" in self.done


def test_two_pieces_that_follow_each_other_are_sent_as_one() -> None:
    async def run() -> list[bytes | str]:
        transport = Recorded()
        joining = _Joining(transport, asyncio.get_running_loop())
        joining.write(b"head")
        joining.write(b"content")
        assert transport.done == [b"headcontent"], "it does not wait for the event loop"
        joining.write(b"alone")
        await asyncio.sleep(0)
        joining.write(b"event")
        await asyncio.sleep(0)
        joining.write(b"last")
        joining.close()
        await asyncio.sleep(0)
        assert joining.is_closing()
        return transport.done

    assert asyncio.run(run()) == [b"headcontent", b"alone", b"event", b"last", "closed"]
