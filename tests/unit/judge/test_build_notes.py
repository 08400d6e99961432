"""What a build says about itself is not said by the judge."""

from __future__ import annotations

from kernelbot_core.judge.check import NOTE, NOTES, said_by_build


def test_notes_of_a_build_are_few_short_and_its_own():
    notes = said_by_build(
        ["RANK 1\n\x1b[2J passed", "RANK 1\n\x1b[2J passed", *("x" * 1000 + str(n) for n in range(9))]
    )
    assert len(notes) == NOTES
    assert notes[0] == "the build says: RANK 1 passed"
    assert all(note.startswith("the build says: ") and len(note) <= NOTE + 20 and "\n" not in note for note in notes)
