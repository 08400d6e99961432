"""Names on the boards: what a person may be called, so that nobody can pass for somebody else."""

from __future__ import annotations

import getpass
import itertools
import re
import unicodedata

from kernelbot_core.errors import UsageError

LONGEST_USER = 64
BASELINE = "baseline"
"""The name under which a board shows the pack's own time."""
_FILLERS = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\ufe00-\ufe0f\U000e0100-\U000e01ef]"
)
"""Letters and marks that show nothing: with one of them a name looks like somebody else's."""
_TOGETHER = {"LATIN", "CJK", "IDEOGRAPHIC", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO"}
"""Scripts that people write together; none looks like another."""
_LETTERS = {"Lu", "Ll", "Lt", "Lo"}
MARKS = 3
"""Most marks on one letter, as Hebrew and Vietnamese need them; more are drawn over the lines above and below."""
_ALIKE = str.maketrans(
    "i1|!\u0131\u0269\u026a\u01c0\ua781\u029f\u0251\u1d00\u0299\ua731\u1d07\u0274", "l" * 10 + "aabsen"
)
"""What passes for a letter of ``baseline`` among Latin letters, digits and signs."""


def checked_user(user: str | None) -> str:
    """Name on the board: what was said, else the login name; one line of at most 64 characters.

    Not ``baseline``, nor what looks like it: ``baseIine``, ``(baseline)``.

    Every character of it shows, each letter is written one way only (NFKC), and all are of one script: a Cyrillic
    letter in a Latin name makes another name that looks the same.

    :raises UsageError: It is no such name.
    """
    said = unicodedata.normalize("NFC", login_name() if user is None else user)
    name = re.sub(" +", " ", unicodedata.normalize("NFKC", said)).strip()
    if not name or len(name) > LONGEST_USER or any(map(_hidden, said + name)):
        raise UsageError(
            f"{name!r} is no name for a board",
            f"--user takes 1 to {LONGEST_USER} characters, none of which is invisible",
        )
    if any(len(list(run)) > MARKS for mark, run in itertools.groupby(name, _is_mark) if mark):
        raise UsageError(
            f"{name!r} is no name for a board: more than {MARKS} marks on one letter", "choose another with --user"
        )
    if _shape(name) == _shape(BASELINE):
        raise UsageError(f"{name!r} is what boards call the baseline, not a person", "choose another name with --user")
    if stranger := _of_another_script(name):
        raise UsageError(
            f"{name!r} is no name for a board: {stranger!r} in it is {unicodedata.name(stranger, 'another script')}",
            "write the name in the letters of one script with --user",
        )
    return name


def login_name() -> str:
    """Who is submitting, when nobody says."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "unknown"


def _hidden(sign: str) -> bool:
    """A control character, a mark of direction, an unassigned one, a space other than the plain one, a filler."""
    strange = unicodedata.category(sign)[0] in "CZ" and sign != " "
    return strange or bool(_FILLERS.match(sign))


def _is_mark(sign: str) -> bool:
    return unicodedata.category(sign)[0] == "M"


def _shape(name: str) -> str:
    """Its letters and digits without marks and punctuation, those that look alike as one."""
    plain = unicodedata.normalize("NFKD", name).casefold().translate(_ALIKE)
    return "".join(filter(str.isalnum, plain))


def _of_another_script(name: str) -> str:
    """The first letter that does not go with those of the script with most letters; empty when all go together."""
    scripts = {sign: _script(sign) for sign in name if unicodedata.category(sign) in _LETTERS}
    kinds = [scripts[sign] for sign in name if sign in scripts]
    main = max(kinds, key=kinds.count, default="")
    friends = _TOGETHER if main in _TOGETHER else {main}
    return next((sign for sign, script in scripts.items() if script not in friends), "")


def _script(letter: str) -> str:
    """``LATIN``, ``CYRILLIC``, ``CJK``: Unicode begins the name of a letter with its script."""
    return unicodedata.name(letter, "?").partition(" ")[0]
