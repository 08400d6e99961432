"""Settings: who wins, and one clear line for whatever is wrong."""

from __future__ import annotations

import platformdirs
import pytest

from kernelbot_core.errors import UsageError
from kernelbot_core.settings import KEYS, WANTED, Settings, load_settings, origin


@pytest.fixture(autouse=True)
def nowhere(tmp_path, monkeypatch):
    """An empty folder to stand in, an empty configuration folder, and no variables."""
    for key in Settings.__struct_fields__:
        monkeypatch.delenv(f"KERNELBOT_{key.upper()}", raising=False)
    here, config = tmp_path / "here", tmp_path / "config"
    here.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(config))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return here


@pytest.fixture
def user_file():
    folder = platformdirs.user_config_path("kernelbot")
    folder.mkdir(parents=True)
    return folder / "kernelbot.toml"


def test_defaults(tmp_path):
    assert load_settings() == Settings(
        store=f"tinydb://{tmp_path}/data/kernelbot", sandbox="auto", require_sandbox=True, max_source=1 << 20
    )


def test_flag_over_variable_over_file_over_default(nowhere, monkeypatch):
    (nowhere / "kernelbot.toml").write_text('sandbox = "file"\nstore = "tinydb:///file"\nmax_source = 5\n')
    monkeypatch.setenv("KERNELBOT_STORE", "tinydb:///variable")
    monkeypatch.setenv("KERNELBOT_MAX_SOURCE", "6")
    found = load_settings(max_source=7, store=None)
    assert found == Settings(sandbox="file", store="tinydb:///variable", max_source=7, require_sandbox=True)


def test_the_file_here_hides_the_one_of_the_user(nowhere, user_file):
    user_file.write_text('sandbox = "theirs"\n')
    assert load_settings().sandbox == "theirs"
    (nowhere / "kernelbot.toml").write_text('sandbox = "here"\n')
    assert load_settings().sandbox == "here"


def test_a_folder_that_has_been_removed_holds_no_file(nowhere, user_file):
    user_file.write_text('sandbox = "theirs"\n')
    nowhere.rmdir()
    assert load_settings().sandbox == "theirs"


@pytest.mark.parametrize(("text", "value"), [("1", True), ("true", True), ("0", False), ("false", False)])
def test_truth_in_the_environment(monkeypatch, text, value):
    monkeypatch.setenv("KERNELBOT_REQUIRE_SANDBOX", text)
    assert load_settings().require_sandbox is value


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('colour = "red"\n', "unknown key colour"),
        ("[store]\nurl = 1\n", "store"),
        ('require_sandbox = "yes"\n', "require_sandbox"),
        ("max_source = 0\n", "max_source"),
        ('max_source = "10"\n', "max_source"),
        ("store = \n", "line 1"),
        (b"store = '\xff'\n", "utf-8"),
    ],
)
def test_a_file_that_is_wrong_is_named_with_the_key(nowhere, text, says):
    path = nowhere / "kernelbot.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(UsageError) as caught:
        load_settings()
    assert caught.value.message.startswith(f"{path}: ")
    assert says in caught.value.message
    assert "\n" not in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize(
    ("name", "text"), [("REQUIRE_SANDBOX", "perhaps"), ("MAX_SOURCE", "1 MB"), ("MAX_SOURCE", "-1")]
)
def test_a_variable_that_is_wrong_is_named(monkeypatch, name, text):
    monkeypatch.setenv(f"KERNELBOT_{name}", text)
    with pytest.raises(UsageError, match=f"KERNELBOT_{name}: {name.lower()}: ") as caught:
        load_settings()
    assert text in caught.value.hint


def test_other_variables_of_ours_are_no_settings(monkeypatch):
    monkeypatch.setenv("KERNELBOT_TRACE_PLUGINS", "1")
    assert load_settings() == Settings()


@pytest.mark.parametrize(
    ("text", "says", "hint"),
    [
        ("store = 3", "store: must be text", 'it is 3 now; write store = "tinydb:///folder"'),
        ("sandbox = true", "sandbox: must be text", 'it is true now; write sandbox = "auto"'),
        ("require_sandbox = 1", "require_sandbox: must be true or false", "it is 1 now; write require_sandbox = true"),
        (
            'max_source = "10"',
            "max_source: must be a whole number above 0",
            'it is the text "10" now; write max_source = 1048576',
        ),
        ("max_source = 0", "max_source: must be a whole number above 0", "it is 0 now; write max_source = 1048576"),
        ("[sandbox]", "sandbox: must be text", 'it is a table now; write sandbox = "auto"'),
    ],
)
def test_what_is_wanted_is_said_in_the_words_of_toml(nowhere, text, says, hint):
    path = nowhere / "kernelbot.toml"
    path.write_text(text)
    with pytest.raises(UsageError) as caught:
        load_settings()
    assert (caught.value.message, caught.value.hint) == (f"{path}: {says}", hint)


def test_a_variable_is_shown_as_one_writes_it(monkeypatch):
    monkeypatch.setenv("KERNELBOT_REQUIRE_SANDBOX", "perhaps")
    with pytest.raises(UsageError) as caught:
        load_settings()
    assert caught.value.hint == 'it is the text "perhaps" now; write KERNELBOT_REQUIRE_SANDBOX=true'


def test_each_key_has_an_example_that_is_taken(nowhere):
    assert list(WANTED) == list(KEYS)
    (nowhere / "kernelbot.toml").write_text("\n".join(f"{key} = {example}" for key, (_, example) in WANTED.items()))
    assert load_settings().store == "tinydb:///folder"


@pytest.mark.parametrize("key", KEYS)
def test_an_empty_variable_is_not_set(monkeypatch, key):
    monkeypatch.setenv(f"KERNELBOT_{key.upper()}", "")
    assert load_settings() == Settings()
    assert origin(key) == ""


def test_where_a_value_comes_from(nowhere, monkeypatch):
    assert origin("store") == ""
    path = nowhere / "kernelbot.toml"
    path.write_text('store = "tinydb:///file"')
    assert (origin("store"), origin("sandbox")) == (str(path), "")
    monkeypatch.setenv("KERNELBOT_STORE", "tinydb:///variable")
    assert origin("store") == "KERNELBOT_STORE"
    assert origin("store", "tinydb:///flag") == "--store"
    assert origin("max_source", 1) == "--max-source"
