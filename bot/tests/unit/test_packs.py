"""A pack out of a repository: regular files only, from one folder, nothing of git."""

from __future__ import annotations

import subprocess

import pytest

from kernelbot_bot import packs
from kernelbot_core.errors import UserError


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """One on this machine; what is fetched from elsewhere comes over https only."""
    monkeypatch.setattr(packs, "PROTOCOLS", "file")
    home = tmp_path / "repository"
    pack = home / "packs/my_problem"
    (pack / "samples/right").mkdir(parents=True)
    for name in ("problem.toml", "problem.py", "samples/right/a.py"):
        (pack / name).write_text("x = 1\n")
    (pack / "secret").symlink_to("/etc/passwd")
    (pack / "odd name;rm").write_text("x")
    settings = ["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "init.defaultBranch=main"]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "x"]):
        subprocess.run(["git", *settings, *words], cwd=home, check=True)
    return home


def test_only_the_packs_own_regular_files_come(repository, tmp_path):
    name = packs.clone(f"file://{repository}", "packs/my_problem", tmp_path / "out")
    found = {str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*") if path.is_file()}
    assert name == "my_problem"
    assert found >= {"my_problem/problem.toml", "my_problem/problem.py", "my_problem/samples/right/a.py"}
    assert not [path for path in (tmp_path / "out").rglob("*") if path.is_symlink() or ";" in path.name]
    secret = tmp_path / "out/my_problem/secret"  # git was told to make no links: it is a file with the target's name
    assert not secret.exists() or secret.read_text() == "/etc/passwd"


@pytest.mark.parametrize("folder", ["..", "/etc", "packs/../..", "a b", ".git", "packs"])
def test_a_folder_that_is_no_pack_is_refused(repository, tmp_path, folder):
    with pytest.raises(UserError):
        packs.clone(f"file://{repository}", folder, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_an_address_that_is_not_there_is_one_line(repository, tmp_path):
    with pytest.raises(UserError, match="cannot be fetched"):
        packs.clone(f"file://{tmp_path}/none", "", tmp_path / "out")


@pytest.mark.parametrize(
    "url", ["http://a.b/c", "ssh://a.b/c", "ext::sh -c id", "https://", "https://u:p@a.b/c", "-x", "file:///"]
)
def test_addresses_other_than_https_are_refused(tmp_path, url):
    with pytest.raises(UserError, match="only https addresses"):
        packs.clone(url, "", tmp_path / "out")
