from pathlib import Path

import jsonschema
import pytest

from ptolint import config
from ptolint.errors import InputError


def load(root: Path, text: str, name: str = "ptolint.toml") -> config.Config:
    (root / name).write_text(text)
    return config.load(None, False, root)


def test_nearest_file_upwards(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "ptolint.toml").write_text('targets = ["a5"]')
    (tmp_path / "a" / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    found = config.load(None, False, tmp_path / "a" / "b")
    assert found["targets"] == ["a5"]
    assert found.origins["targets"].endswith("ptolint.toml")
    assert found.origins["cores"] == "default"


def test_pyproject_section(tmp_path: Path) -> None:
    assert load(tmp_path, '[tool.ptolint]\nfail-on = "warning"\n', "pyproject.toml")["fail-on"] == "warning"


def test_isolated_reads_nothing(tmp_path: Path) -> None:
    (tmp_path / "ptolint.toml").write_text("nonsense")
    assert config.load(None, True, tmp_path)["fail-on"] == "error"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("targts = []", "unknown key 'targts', did you mean 'targets'?"),
        ('targets = ["a6"]', "'a6' is not one of a2a3, a5"),
        ('targets = "a5"', "'a5' is not a list"),
        ("jobs = -1", "-1 is less than 0"),
        ("solver-timeout = 0", "0 is not above 0"),
        ("replay = 1", "1 is not true or false"),
        ('severity = { "tmov" = "loud" }', "'loud' is not one of"),
        ("[[overrides]]\ndefines = []", "'files' is missing"),
        ('[[overrides]]\nfiles = []\ndefine = ["A"]', "unknown key 'define', did you mean 'defines'?"),
        ("x = [", "not valid TOML"),
        ('extend = "nope.toml"', "nope.toml: No such file"),
        ('extend = "ptolint.toml"', "extends itself"),
    ],
)
def test_one_clear_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        load(tmp_path, text)
    assert message in str(error.value)
    assert "\n" not in str(error.value).strip() or "TOML" in message


def test_extend_and_relative_paths(tmp_path: Path) -> None:
    (tmp_path / "base").mkdir()
    (tmp_path / "base" / "b.toml").write_text('include-dirs = ["inc"]\njobs = 3\n')
    found = load(tmp_path, 'extend = "base/b.toml"\njobs = 1\n')
    assert found["jobs"] == 1
    assert found["include-dirs"] == [str(tmp_path / "base" / "inc")]


def test_overrides_and_per_file_ignores(tmp_path: Path) -> None:
    text = 'per-file-ignores = { "old/*" = ["tmov"] }\n[[overrides]]\nfiles = ["old/*.cpp"]\ndefines = ["A=1"]\n'
    found = load(tmp_path, text)
    options = config.options_of(found)
    old = config.for_file(options, found, tmp_path / "old" / "k.cpp")
    assert old.defines == ("A=1",) and not old.wants("tmov/x")
    new = config.for_file(options, found, tmp_path / "new" / "k.cpp")
    assert new.defines == () and new.wants("tmov/x")


def test_select_and_ignore_longest_prefix_decides(tmp_path: Path) -> None:
    options = config.options_of(load(tmp_path, 'select = ["tmov", "tmul/dtype"]\nignore = ["tmov/bias"]\n'))
    wanted = [options.wants(r) for r in ("tmov/a", "tmov/bias-x", "tmul/dtype-a5", "tmul/b")]
    assert wanted == [True, False, True, False]


def test_schema_is_valid_and_accepts_what_load_accepts() -> None:
    schema = config.schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate({"targets": ["a5"], "severity": {"tmov": "off"}, "assume": {"k": ["n > 0"]}}, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"target": ["a5"]}, schema)
