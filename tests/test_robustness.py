"""What a machine can do to a run: signals, readers that leave, full disks, files that are none or go away."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.kernels import BAD, GOOD

posix = pytest.mark.skipif(os.name != "posix", reason="signals and pipes of POSIX")
COMMAND = [sys.executable, "-m", "ptolint", "check", "--isolated", "--no-replay", "--target", "a5"]


def environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "PTOLINT_CACHE_DIR": str(folder / ".cache"), "NO_COLOR": "1"}


def run(folder: Path, *arguments: str, **options: object) -> subprocess.CompletedProcess[bytes]:
    command = [*COMMAND, *arguments]
    given = {"env": environment(folder), "capture_output": True, "timeout": 120, **options}
    return subprocess.run(command, cwd=folder, **given)  # type: ignore[call-overload]


def group_members(group: int) -> list[int]:
    """Processes of a process group that still run."""
    found = []
    for name in filter(str.isdigit, (p.name for p in Path("/proc").iterdir())):
        try:
            state, _, pgrp = Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()[:3]
        except OSError:
            continue
        if int(pgrp) == group and state != "Z":
            found.append(int(name))
    return found


def wait_until(condition: object, seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize(("number", "everyone"), [("SIGINT", True), ("SIGTERM", False), ("SIGKILL", False)])
def test_an_interrupted_run_leaves_no_process_and_tells_what_it_found(
    tmp_path: Path, number: str, everyone: bool
) -> None:
    (tmp_path / "a.cpp").write_text(BAD)
    os.mkfifo(tmp_path / "size.h")  # clang waits here until somebody writes: the file that never ends
    (tmp_path / "z.cpp").write_text('#include "size.h"\n' + GOOD)
    command = [*COMMAND, "--jobs", "1", "--format", "concise", "a.cpp", "z.cpp"]
    process = subprocess.Popen(
        command,
        cwd=tmp_path,
        env=environment(tmp_path),
        stdout=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell's background jobs ignore it
    )
    cache = tmp_path / ".cache" / "results"
    wait_until(lambda: list(cache.glob("*/*[0-9a-f]")))  # the first file is done
    (os.killpg if everyone else os.kill)(process.pid, getattr(signal, number))
    out, _ = process.communicate(timeout=60)
    wait_until(lambda: not group_members(process.pid), 30)
    if number != "SIGKILL":
        assert process.returncode == 130
        assert b"tmul/same-dtype" in out and b"interrupted" in out


@posix
def test_a_reader_that_leaves_ends_the_run_quietly(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text(BAD)
    reader, writer = os.pipe()
    os.close(reader)
    done = run(tmp_path, "a.cpp", capture_output=False, stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text(GOOD)
    with Path("/dev/full").open("wb") as full:
        done = run(tmp_path, "a.cpp", capture_output=False, stdout=full, stderr=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (2, b"ptolint: standard output: No space left on device\n")


@posix
def test_closed_streams(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text(BAD)
    command = " ".join([*COMMAND, "a.cpp", "-o", "out.txt", "<&-", ">&-", "2>&-"])
    done = subprocess.run(command, shell=True, cwd=tmp_path, env=environment(tmp_path), timeout=120)
    assert done.returncode == 1
    assert "tmul/same-dtype" in (tmp_path / "out.txt").read_text()


@posix
def test_pipes_and_devices_are_refused_wherever_they_stand(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.cpp")
    (tmp_path / "zero.cpp").symlink_to("/dev/zero")
    (tmp_path / "good.cpp").write_text(GOOD)
    done = run(tmp_path, ".", "/dev/null", "--format", "concise")
    assert done.returncode == 2
    for name in (b"pipe.cpp", b"zero.cpp", b"/dev/null"):
        assert name + b": not a regular file" in done.stdout
    assert b"in 1 file for a5" in done.stdout


@pytest.mark.parametrize("format_", ["text", "concise", "json", "sarif", "github", "gitlab", "junit", "html"])
@pytest.mark.skipif(sys.platform != "linux", reason="file names of bytes")
def test_a_file_name_that_is_no_utf8(tmp_path: Path, format_: str) -> None:
    (tmp_path / os.fsdecode(b"caf\xe9.cpp")).write_text(BAD)
    done = run(tmp_path, "--format", format_)
    assert (done.returncode, done.stderr) == (1, b"")
    assert b"tmul/same-dtype" in done.stdout and b"\xe9" not in done.stdout
    done.stdout.decode("utf-8")


@pytest.mark.parametrize(
    "data",
    [
        BAD.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + BAD.encode(),
        BAD.replace("using", "// \xe9\nusing", 1).replace("// \xe9\n", "/* \xe9 */ ").encode("latin-1"),
    ],
    ids=["crlf", "bom", "latin-1"],
)
def test_encodings_move_nothing(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.cpp").write_bytes(data)
    done = run(tmp_path, "--format", "concise")
    assert done.stdout.startswith(b"a.cpp:16:5: error tmul/same-dtype")


def test_output_that_cannot_be_written_is_told_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text(BAD)
    for output, message in (("no/out.json", b"no such directory: no"), (".", b"is a directory")):
        done = run(tmp_path, "a.cpp", "-o", output)
        assert (done.returncode, done.stdout) == (2, b"")
        assert message in done.stderr


def test_a_cache_that_cannot_be_used_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text(BAD)
    (tmp_path / "file").write_text("")
    env = {k: v for k, v in os.environ.items() if k not in ("PTOLINT_CACHE_DIR", "XDG_CACHE_HOME")}
    outputs = {
        run(tmp_path, "a.cpp", env={**env, **more}).stdout
        for more in (
            {"PTOLINT_CACHE_DIR": str(tmp_path / "file")},
            {"HOME": "/nonexistent"},
            {"PTOLINT_CACHE_DIR": "c"},
        )
    }
    assert len(outputs) == 1 and b"tmul/same-dtype" in outputs.pop()


def test_options_that_load_or_write_reach_no_clang(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text(GOOD)
    options = [
        "-fplugin=x.so",
        "-Xclang",
        "-load",
        "-o",
        "a.o",
        "-MD",
        "-MF",
        "a.d",
        "-emit-ast",
        "-save-temps",
        "@rsp",
    ]
    done = run(tmp_path, "--no-cache", "a.cpp", "--", "-DUNUSED", *options)
    assert done.returncode == 0
    assert done.stderr.startswith(b"ptolint: not passed on to clang: -fplugin=x.so -Xclang -load")
    assert sorted(p.name for p in tmp_path.iterdir()) == [".cache", "a.cpp"]


def test_a_huge_file_costs_only_itself(tmp_path: Path) -> None:
    with (tmp_path / "huge.cpp").open("wb") as file:
        file.truncate(1 << 40)  # sparse
    (tmp_path / "good.cpp").write_text(GOOD)
    done = run(tmp_path, "--format", "concise")
    assert done.returncode == 2
    assert b"huge.cpp: larger than 8 MiB" in done.stdout and b"in 1 file for a5" in done.stdout


@pytest.mark.parametrize("seed", ["0", "1", "2"])
def test_hash_seeds_change_nothing(tmp_path: Path, seed: str) -> None:
    (tmp_path / "a.cpp").write_text(BAD)
    (tmp_path / "b.cpp").write_text(BAD.replace("half", "int16_t"))

    def output(seed: str, format_: str) -> bytes:
        env = {**environment(tmp_path), "PYTHONHASHSEED": seed}
        return run(tmp_path, "--no-cache", "--format", format_, env=env).stdout

    assert output(seed, "json") == output("3", "json") != b""
