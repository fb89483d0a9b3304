"""The server in a headless Neovim, set up as `editors/nvim/ptolint.lua` says; skipped where there is no Neovim."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kernels import BAD, BAD_LINE
from tests.lsp.client import PATIENCE

PLUGIN = Path(__file__).resolve().parents[2] / "editors" / "nvim"

pytestmark = [
    pytest.mark.skipif(shutil.which("nvim") is None, reason="needs Neovim"),
    pytest.mark.skipif(not PLUGIN.is_dir(), reason="needs the repository's editors folder"),
]

SCRIPT = """
package.path = PLUGIN .. "/?.lua;" .. package.path
vim.cmd("filetype on")
require("ptolint").setup({ cmd = CMD })
vim.cmd("edit bad.cpp")
local function shown()
  return vim.diagnostic.get(0)
end
local first = vim.wait(PATIENCE, function() return #shown() > 0 end, 50)
local result = { found = {}, first = first }
for _, d in ipairs(shown()) do
  local place = { line = d.lnum + 1, col = d.col }
  local what = { code = d.code, severity = d.severity, source = d.source }
  table.insert(result.found, vim.tbl_extend("error", place, what))
end
local text = vim.api.nvim_buf_get_lines(0, 0, -1, false)
for i, line in ipairs(text) do
  text[i] = line:gsub("TMUL%(a, a, b%)", "TMUL(a, a, a)")
end
vim.api.nvim_buf_set_lines(0, 0, -1, false, text)
result.cleared = vim.wait(PATIENCE, function() return #shown() == 0 end, 50)
local out = io.open("result.json", "w")
out:write(vim.fn.json_encode(result))
out:close()
vim.cmd("qall!")
"""


def test_diagnostics_come_and_go(tmp_path: Path) -> None:
    (tmp_path / "bad.cpp").write_text(BAD)
    values = {"PLUGIN": str(PLUGIN), "PATIENCE": int(PATIENCE * 1000)}
    head = "".join(f"local {name} = {json.dumps(value)}\n" for name, value in values.items())
    command = "local CMD = { " + ", ".join(json.dumps(c) for c in (sys.executable, "-m", "ptolint", "lsp")) + " }\n"
    (tmp_path / "script.lua").write_text(head + command + SCRIPT)
    env = {**os.environ, "XDG_STATE_HOME": str(tmp_path / "s"), "XDG_CACHE_HOME": str(tmp_path / "c")}
    arguments = ["nvim", "--headless", "-n", "-i", "NONE", "-u", "NONE", "-c", "luafile script.lua", "-c", "cquit"]
    done = subprocess.run(
        arguments, cwd=tmp_path, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300
    )
    assert (tmp_path / "result.json").exists(), done.stderr
    result = json.loads((tmp_path / "result.json").read_text())
    assert result["first"] and result["cleared"]
    assert result["found"] == [
        {"code": "tmul/same-dtype", "line": BAD_LINE, "col": 4, "severity": 1, "source": "ptolint"}
    ]
