from pathlib import Path

import pytest

from ptolint.rulebook.loader import Rulebook, rules_directory
from ptolint.rulebook.model import RuleError
from ptolint.rulebook.tables import check_expressions

HEAD = '[instruction]\nname = "TTEST"\n[[form]]\nname = "pure"\noperands = ["dst", "src"]\n'
RULE = '[[rule]]\nid = "ttest/a"\nrequire = "dst.rows == 1"\nmessage = "m"\nsource = "s"\n'


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PTOLINT_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def book(tmp_path: Path, **files: str) -> Rulebook:
    folder = tmp_path / "rules"
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.toml").write_text(text)
    return Rulebook(folder)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (HEAD + RULE.replace("message", "mesage"), "ttest/a: unknown key 'mesage', did you mean 'message'?"),
        (HEAD + RULE.replace('source = "s"\n', ""), "ttest/a: source is missing"),
        (HEAD + RULE.replace('message = "m"\n', ""), "ttest/a: message is missing"),
        (HEAD + RULE.replace('require = "dst.rows == 1"\n', ""), "ttest/a: require is missing"),
        (HEAD + RULE + RULE, "ttest/a is defined twice"),
        (HEAD + RULE + 'level = "eror"\n', "level is one of error, warning, note, not 'eror', did you mean 'error'?"),
        (HEAD + RULE + 'enforced = "assert"\n', "enforced is one of"),
        (HEAD + RULE + 'targets = ["a6"]\n', "unknown target 'a6', did you mean 'a5'?"),
        (HEAD + RULE + 'names = ["TTEXT"]\n', "the file serves no TTEXT, did you mean 'TTEST'?"),
        (HEAD.replace("operands", "operand") + RULE, "unknown key 'operand', did you mean 'operands'?"),
        (HEAD.replace('name = "TTEST"', 'name = "TTEST"\nno_form = "ttest/none"') + RULE, "that no_form names"),
        ('[[rule]]\nid = "x"\n', "[instruction] needs `name` or `names`"),
        ("[instruction\n", "ttest.toml: "),
    ],
)
def test_one_clear_line_for_a_bad_file(tmp_path, text, expected):
    with pytest.raises(RuleError) as error:
        list(book(tmp_path, ttest=text).files())
    assert expected in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (("dst.rows == 1", "dst.rowz == 1"), "ttest.toml: ttest/a: unknown attribute 'rowz', did you mean 'rows'?"),
        (("dst.rows == 1", "sr.rows == 1"), "'sr' is not an operand, did you mean 'src'?"),
        (('"m"', '"{dst.rows"'), "ttest.toml: ttest/a: '{' without '}'"),
        (('"m"', '"{nothing}"'), "ttest/a: unknown name 'nothing'"),
    ],
)
def test_expressions_are_checked(tmp_path, change, expected):
    rules = book(tmp_path, ttest=HEAD + RULE.replace(*change))
    with pytest.raises(RuleError) as error:
        check_expressions(rules.file("TTEST"))
    assert expected in str(error.value)


def test_two_files_for_one_instruction(tmp_path):
    with pytest.raises(RuleError, match="TTEST has rules in a"):
        book(tmp_path, a=HEAD + RULE, b=HEAD + RULE)


def test_files_are_read_when_asked_for(tmp_path):
    rules = book(tmp_path, good=HEAD + RULE, bad='[instruction]\nname = "TBAD"\n[[rule]]\n')
    assert rules.instructions == ("TBAD", "TTEST")
    assert rules.rule("ttest/a").require_text == "dst.rows == 1"
    with pytest.raises(RuleError):
        rules.file("TBAD")


def test_tables_come_from_the_cache_and_a_broken_cache_does_no_harm(tmp_path, cache):
    list(book(tmp_path, ttest=HEAD + RULE).files())
    (entry,) = (cache / "rules").glob("*.json")
    entry.write_text(entry.read_text().replace("ttest/a", "ttest/cached"))
    assert book(tmp_path).rule("ttest/cached")
    for junk in (b"", b"[1]", b"\xff{"):
        entry.write_bytes(junk)
        assert book(tmp_path).rule("ttest/a")
        assert entry.read_bytes() != junk


def test_unwritable_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("PTOLINT_CACHE_DIR", "/proc/nowhere")
    assert book(tmp_path, ttest=HEAD + RULE).rule("ttest/a")


def test_extension_adds_rules_with_the_operands_of_the_instruction(tmp_path):
    base = book(tmp_path, ttest=HEAD + RULE)
    extra = tmp_path / "own.toml"
    extra.write_text('[instruction]\nname = "TTEST"\n' + RULE.replace("ttest/a", "own/b").replace("dst", "src"))
    rules = Rulebook(base.directory, [extra])
    assert [r.id for r in rules.rules_for("TTEST", "a5")] == ["ttest/a", "own/b"]
    assert rules.rule("own/b")
    assert rules.digest != base.digest


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (RULE, "[instruction]"),
        ('[instruction]\nname = "TTEST"\n' + RULE, "ttest/a is defined in ttest.toml already"),
        (
            '[instruction]\nname = "TTEST"\n' + RULE.replace("ttest/a", "own/c").replace("rows", "rosw"),
            "own/c: unknown",
        ),
    ],
)
def test_bad_extension(tmp_path, text, expected):
    base = book(tmp_path, ttest=HEAD + RULE)
    extra = tmp_path / "own.toml"
    extra.write_text(text)
    with pytest.raises(RuleError) as error:
        Rulebook(base.directory, [extra])
    assert expected in str(error.value)


def test_missing_extension(tmp_path):
    with pytest.raises(RuleError, match="No such file"):
        Rulebook(book(tmp_path, ttest=HEAD + RULE).directory, [tmp_path / "none.toml"])


def test_shipped_rules_are_valid_and_ids_unique():
    rules = Rulebook()
    assert rules.directory == rules_directory()
    ids = []
    for file in rules.files():
        check_expressions(file)
        ids += [r.id for r in file.rules]
    assert len(ids) == len(set(ids))
