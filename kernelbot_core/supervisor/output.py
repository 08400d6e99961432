"""What a tree prints, within a cap."""

from __future__ import annotations


class Output:
    """The first and the last part of it; the middle is drained and dropped."""

    def __init__(self, cap: int) -> None:
        self.half, self.head, self.tail, self.total = cap // 2, b"", b"", 0

    def add(self, data: bytes) -> None:
        """Take what was read."""
        self.total += len(data)
        room = self.half - len(self.head)
        self.head += data[:room]
        self.tail = (self.tail + data[room:])[-self.half :] if len(data) > room else self.tail

    def result(self) -> tuple[str, bool]:
        """The text, and whether something is missing from it."""
        cut = self.total > len(self.head) + len(self.tail)
        middle = b"\n[...]\n" if cut else b""
        return (self.head + middle + self.tail).decode(errors="replace"), cut
