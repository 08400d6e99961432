"""Which submissions are the same artifact: a comment, a blank line or a blank makes no new one."""

from __future__ import annotations

import hashlib
import io
import re
import tokenize
from collections.abc import Iterator
from typing import NamedTuple

from kernelbot_core.interfaces.language import Language
from kernelbot_core.model.header import read_header

# Longest operators first, so that "a+ +b" and "a++b" stay two programs. Strings come before comments and names, so that
# // inside them stays, and so do the prefixes of raw strings; 1'000 is a number, not the start of a character.
# What is not closed (below #if 0) goes to the end: looking for an end in vain from every place would take hours.
_C = re.compile(
    r"""(?P<blank>(?:\s|\\\r?\n)+)
      | (?P<comment>//(?:\\\r?\n|[^\n])*|/\*.*?(?:\*/|\Z))
      | (?P<raw>(?:u8|[uUL])?R"(?P<mark>[^()\\\s]{0,16})\(.*?(?:\)(?P=mark)"|\Z))
      | (?P<text>(?:u8|[uUL])?(?:"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?))
      | (?P<number>\.?\d(?:'\w|[eEpP][+-]|[\w.])*)
      | (?P<name>[^\W\d]\w*)
      | (?P<sign><<=|>>=|<=>|->\*|\.\.\.|::|\+\+|--|->|[-+*/%&|^=!<>]=|&&|\|\||<<|>>|\#\#|.)""",
    re.VERBOSE | re.DOTALL,
)
LARGEST = 1 << 17
"""Characters up to which a program is read token by token: a source of the largest size, nothing but tokens, would keep
whoever records it busy for seconds, and tokenize takes time squared for long strings."""
_PYTHON_BLANKS = {tokenize.COMMENT, tokenize.NL, tokenize.ENCODING, tokenize.ENDMARKER}
# Python 3.12 and later split f-strings into tokens; put together again, so that the identity is that of 3.11.
_OPENING = {getattr(tokenize, name) for name in ("FSTRING_START", "TSTRING_START") if hasattr(tokenize, name)}
_CLOSING = {getattr(tokenize, name) for name in ("FSTRING_END", "TSTRING_END") if hasattr(tokenize, name)}
# Depth of indentation counts, not the blanks that make it.
_MARKS = {tokenize.INDENT: ">", tokenize.DEDENT: "<", tokenize.NEWLINE: ";"}


class Token(NamedTuple):
    """A piece of a program that is neither comment nor blank."""

    text: str
    lines: range
    """Lines it stands on; empty for marks that stand on none."""


def artifact_id(source: str, language: Language) -> str:
    """sha256 of language, normalised source, and of those header lines that change what is built."""
    header = read_header(source)
    parts = [language.name, repr(header.dtypes), repr(header.launch), *(t.text for t in tokens(source, language))]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def code_lines(source: str, language: Language) -> int:
    """Lines with code, without blank ones and those with comments only; for ties."""
    return len({line for token in tokens(source, language) for line in token.lines})


def tokens(source: str, language: Language) -> list[Token]:
    """The program without comments and needless blanks.

    Line by line where it is longer than anybody writes, or the language is not one we can read. A carriage return ends
    a line, as it does for the interpreter: a file without any other end would have no lines. Of what is longer every
    line counts: one that begins like a comment may end one, ``//*/ code``.
    """
    source = source.replace("\r\n", "\n").replace("\r", "\n")
    if len(source) > LARGEST:
        return list(_bare_lines(source))
    if language.comment == "//":
        return list(_c_tokens(source))
    if any(suffix.endswith(".py") for suffix in language.suffixes):
        try:
            return list(_python_tokens(source))
        except (tokenize.TokenError, SyntaxError):
            pass
    return list(_bare_lines(source, language.comment))


def _bare_lines(source: str, comment: str = "") -> Iterator[Token]:
    """Lines that are not blank and do not begin with ``comment``."""
    for number, line in enumerate(source.splitlines(), start=1):
        text = line.rstrip()
        if text and not (comment and text.lstrip().startswith(comment)):
            yield Token(text, range(number, number + 1))


def _c_tokens(source: str) -> Iterator[Token]:
    """In a preprocessor line blanks separate (``#define f(x)`` is not ``#define f (x)``); elsewhere they do not.

    A comment that begins in such a line and ends in a later one stays: it need not be one. The name of a header may
    hold ``/*``, so that all that follows ``#if __has_include(</*>)`` is code. ``%:`` is another way to write ``#``.
    """
    line, fresh, directive, pending = 1, True, False, False
    for found in _C.finditer(source):
        text, kind = found[0], found.lastgroup
        first, line = line, line + text.count("\n")
        if kind == "blank" or (kind == "comment" and not (directive and line > first and text.startswith("/*"))):
            ends = kind == "blank" and "\n" in re.sub(r"\\\r?\n", "", text)
            if directive and ends:
                yield Token("\n", range(0))
            directive, pending, fresh = directive and not ends, directive and not ends, fresh or ends
            continue
        if fresh and text[0] in "#%":
            directive = True
            yield Token("\n", range(0))
        elif pending:
            yield Token(" ", range(0))
        fresh = pending = False
        yield Token(text, range(first, line + 1))


def _python_tokens(source: str) -> Iterator[Token]:
    rows, depth, start = source.splitlines(keepends=True), 0, (0, 0)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in _OPENING:
            start = start if depth else token.start
            depth += 1
        elif token.type in _CLOSING and depth == 1:
            yield Token(_between(rows, start, token.end), range(start[0], token.end[0] + 1))
        depth -= token.type in _CLOSING
        if depth or token.type in _PYTHON_BLANKS | _OPENING | _CLOSING:
            continue
        if token.type in _MARKS:
            yield Token(f"\n{_MARKS[token.type]}", range(0))
        else:
            yield Token(token.string, range(token.start[0], token.end[0] + 1))


def _between(rows: list[str], start: tuple[int, int], end: tuple[int, int]) -> str:
    part = rows[start[0] - 1 : end[0]]
    part[-1] = part[-1][: end[1]]
    part[0] = part[0][start[1] :]
    return "".join(part)
