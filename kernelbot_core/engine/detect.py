"""Which language a file is written in: asked for, stated, or recognised; never guessed."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Mapping

from kernelbot_core.errors import UsageError
from kernelbot_core.interfaces.language import Language
from kernelbot_core.model.header import Header, read_header
from kernelbot_core.pysource import installed

__all__ = ["Header", "detect_language", "read_header"]

log = logging.getLogger(__name__)

CONVINCING = 0.3
"""Least confidence among languages that share the file's suffix."""
CONVINCING_ALONE = 0.6
"""Least confidence when no language knows the suffix."""
CLOSE = 0.1
"""Confidences nearer than this are a tie."""
_IMPORT = re.compile(
    r"^(?:import[ \t]+(?P<plain>[A-Za-z_]\w*)(?:\.\w+)*(?:[ \t]+as[ \t]+\w+)?[ \t]*(?:[,;#].*)?"
    r"|from[ \t]+(?P<of>[A-Za-z_]\w*)[.\w]*[ \t]+import\b.*)$",
    re.MULTILINE,
)
"""An import at the top level. By its looks: a front-end parses nothing of a submission."""


def detect_language(filename: str, source: str, lang: str | None, languages: Mapping[str, Language]) -> str:
    """Name of the language: ``--lang``, else the header line, else suffix and content.

    :param filename: Only its suffix counts.
    :param lang: What ``--lang`` said, or None.
    :param languages: Every registered language, available or not.
    :raises UsageError: Unknown name, a header that disagrees with ``--lang``, a tie, or nothing convincing.
    """
    stated = read_header(source, filename).language
    for name, where in ((lang, "lang"), (stated, "the header line")):
        if name is not None and name not in languages:
            raise UsageError(
                f"{where} says {name}, which is not a language here", f"known: {', '.join(sorted(languages))}"
            )
    if lang and stated and lang != stated:
        raise UsageError(f"lang says {lang}, the header line of {filename} says {stated}", "make the two agree")
    return lang or stated or _recognise(filename, source, languages)


def _recognise(filename: str, source: str, languages: Mapping[str, Language]) -> str:
    if not languages:
        raise UsageError("no language is installed", "see `kernelbot plugins`")
    candidates = _by_suffix(filename, languages)
    if len(candidates) == 1:
        return candidates[0]
    least = CONVINCING if candidates else CONVINCING_ALONE
    scored = {name: _confidence(languages[name], source) for name in candidates or languages}
    best = max(scored.values())
    leaders = sorted(name for name, score in scored.items() if score > best - CLOSE)
    if best < least:
        _told_by_its_text(filename, source, {name: languages[name] for name in languages if name not in scored})
        raise UsageError(f"cannot tell the language of {filename}{_unknown(source)}", _ask(candidates or languages))
    if len(leaders) > 1:
        raise UsageError(f"{filename} may be {' or '.join(leaders)}", _ask(leaders))
    return leaders[0]


def _told_by_its_text(filename: str, source: str, others: Mapping[str, Language]) -> None:
    """Raise UsageError for a file that another language than those of its suffix recognises."""
    alike = sorted(name for name in others if _confidence(others[name], source) >= CONVINCING_ALONE)
    if alike:
        suffixes = dict.fromkeys(suffix for name in alike for suffix in others[name].suffixes[:1])
        raise UsageError(
            f"{filename} looks like {' or '.join(alike)}, by its name it is another language",
            f"let its name end in {' or '.join(suffixes)}, or say --lang {' or --lang '.join(alike)}",
        )


def _by_suffix(filename: str, languages: Mapping[str, Language]) -> list[str]:
    """Languages with the longest suffix that fits: ``k.np.py`` belongs to ``.np.py`` rather than to ``.py``."""
    lower = filename.lower()
    fits = {
        name: max((len(suffix) for suffix in language.suffixes if lower.endswith(suffix)), default=0)
        for name, language in languages.items()
    }
    longest = max(fits.values())
    return sorted(name for name, length in fits.items() if length == longest) if longest else []


def _confidence(language: Language, source: str) -> float:
    try:
        return min(1.0, max(0.0, float(language.detect(source))))
    except Exception:  # foreign code: a plugin that fails to recognise a file recognises nothing
        log.exception("language %s failed to look at a source", language.name)
        return 0.0


def _unknown(source: str) -> str:
    """The likely cause: an import whose package is not here, such as a misspelt one; empty without one."""
    for found in _IMPORT.finditer(source):
        package = found["plain"] or found["of"]
        if not installed(package):
            line = source.count("\n", 0, found.start()) + 1
            return f": line {line} imports {package}, which is not known here (misspelt?)"
    return ""


def _ask(names: Iterable[str]) -> str:
    return f"say --lang {' or --lang '.join(sorted(names))}, or in the file: #!kernelbot language NAME"
