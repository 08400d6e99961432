"""Which submissions are the same artifact: a comment or a blank makes no new one."""

from __future__ import annotations

import hashlib
import io
import re
import tokenize

from kernelbot_core.interfaces.language import Language

_SKIP = {tokenize.COMMENT, tokenize.NL, tokenize.ENCODING}
# Strings and character literals are matched first, so that // inside them stays.
_C_LIKE = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*.*?\*/', re.DOTALL)


def normalised(source: str, language: Language) -> str:
    """The source without comments, blank lines and needless blanks."""
    if language.comment == "//":
        bare = _C_LIKE.sub(lambda found: " " if found[0].startswith(("//", "/*")) else found[0], source)
        lines = (" ".join(line.split()) for line in bare.splitlines())
        return "\n".join(line for line in lines if line)
    try:
        tokens = [t for t in tokenize.generate_tokens(io.StringIO(source).readline) if t.type not in _SKIP]
    except (tokenize.TokenError, IndentationError, SyntaxError):
        return source
    # Indentation counts as depth, not as the blanks that make it.
    marks = {tokenize.INDENT: "\t>", tokenize.DEDENT: "\t<", tokenize.NEWLINE: "\n"}
    return " ".join(marks.get(t.type, t.string) for t in tokens)


def artifact_id(source: str, language: Language) -> str:
    """sha256 of language and normalised source."""
    return hashlib.sha256(f"{language.name}\0{normalised(source, language)}".encode()).hexdigest()


def code_lines(source: str, language: Language) -> int:
    """Lines with code, for ties."""
    return sum(bool(line.strip(" \t<>")) for line in normalised(source, language).splitlines())
