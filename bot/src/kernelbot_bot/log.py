"""One JSON object per line on standard error, without secrets."""

from __future__ import annotations

import datetime
import json
import logging
import re
import sys

from kernelbot_core.text import ascii_json

# Webhook and interaction routes carry a token in their path; the bot's own has three parts joined by dots.
_SECRETS = re.compile(
    r"(?<=/webhooks/)(\d+)/[^/\s?]+|(?<=/interactions/)(\d+)/[^/\s?]+|[\w-]{23,}\.[\w-]{6}\.[\w-]{27,}"
)
_PLAIN = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}


class Lines(logging.Formatter):
    """``{"at": ..., "level": ..., "logger": ..., "message": ..., other fields}``.

    :param secrets: Texts that must not appear.
    """

    def __init__(self, secrets: tuple[str, ...] = ()) -> None:
        super().__init__()
        self._secrets = [secret for secret in secrets if secret]

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.datetime.fromtimestamp(record.created, datetime.UTC).isoformat(timespec="milliseconds")
        line = {"at": at, "level": record.levelname, "logger": record.name, "message": record.getMessage()}
        line |= {key: value for key, value in vars(record).items() if key not in _PLAIN}
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return ascii_json(self._clean(json.dumps(line, default=str, ensure_ascii=False)))

    def _clean(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, "<token>")
        return _SECRETS.sub(lambda found: f"{found[1] or found[2] or ''}<token>", text)


QUIET = {
    "discord.gateway": logging.INFO, "discord.http": logging.INFO, "discord.client": logging.INFO,
    "asyncio": logging.INFO, "PIL": logging.INFO, "matplotlib": logging.WARNING,
}  # fmt: skip
"""The least that is told of others; fonts are no news, and frames of the gateway hide everything else."""


def set_up(level: str, *secrets: str) -> None:
    """Write every record of this process that way."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines(secrets))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for name, least in QUIET.items():
        logging.getLogger(name).setLevel(max(least, logging.getLevelNamesMapping()[level]))
