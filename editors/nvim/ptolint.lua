-- ptolint for Neovim 0.7 and later: put this file on the runtime path as lua/ptolint.lua and call
--   require("ptolint").setup()
-- The server is `ptolint lsp`; setup({ cmd = { "/path/to/ptolint", "lsp" } }) names another one.
local M = {}

local markers = { "ptolint.toml", ".ptolint.toml", "pyproject.toml", ".git" }

local function exists(path)
  return vim.loop.fs_stat(path) ~= nil
end

-- The nearest folder with a marker, else the file's own.
local function root_of(file)
  local start = vim.fn.fnamemodify(file, ":p:h")
  local folder = start
  while true do
    for _, name in ipairs(markers) do
      if exists(folder .. "/" .. name) then
        return folder
      end
    end
    local parent = vim.fn.fnamemodify(folder, ":h")
    if parent == folder then
      return start
    end
    folder = parent
  end
end

-- A virtual environment of the project comes first, then the PATH.
local function command(root)
  local inside = root .. "/.venv/bin/ptolint"
  return { exists(inside) and inside or "ptolint", "lsp" }
end

local clients = {}

-- Attach a server to the buffer, one for each root folder.
function M.attach(buffer, options)
  local root = root_of(vim.api.nvim_buf_get_name(buffer))
  local id = clients[root]
  if id == nil or vim.lsp.get_client_by_id(id) == nil then
    id = vim.lsp.start_client({
      name = "ptolint",
      cmd = options.cmd or command(root),
      root_dir = root,
      on_attach = options.on_attach,
    })
    clients[root] = id
  end
  if id ~= nil then
    vim.lsp.buf_attach_client(buffer, id)
  end
end

-- Start the server for every C++ buffer.
function M.setup(options)
  options = options or {}
  local group = vim.api.nvim_create_augroup("ptolint", { clear = true })
  vim.api.nvim_create_autocmd("FileType", {
    group = group,
    pattern = options.filetypes or { "cpp", "c" },
    callback = function(event)
      M.attach(event.buf, options)
    end,
  })
end

return M
