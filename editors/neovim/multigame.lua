-- Rules of board games in Neovim: `:luafile multigame.lua`, or copy it to ~/.config/nvim/plugin/.
-- The global variable `multigame_path` names the program if it is not in PATH.

vim.cmd([[autocmd BufRead,BufNewFile *.mg setfiletype multigame]])

local function program()
  return vim.g.multigame_path or "multigame"
end

-- "play" needs a terminal, which the editor has and the server does not.
local function play(command)
  vim.cmd("botright new")
  vim.fn.termopen(vim.list_extend({ program() }, command.arguments[1].arguments))
end

for _, name in ipairs({ "play", "perft", "analyze", "coverage" }) do
  vim.lsp.commands["multigame." .. name] = play
end

local function attach(event)
  local buffer = event.buf or vim.api.nvim_get_current_buf()
  vim.api.nvim_buf_set_option(buffer, "commentstring", "# %s")
  local options = {
    name = "multigame",
    cmd = { program(), "lsp" },
    root_dir = vim.fn.getcwd(),
    init_options = { commands = "client" },
  }
  if vim.lsp.start then
    vim.lsp.start(options, { bufnr = buffer })
  else
    multigame_client = multigame_client or vim.lsp.start_client(options)
    vim.lsp.buf_attach_client(buffer, multigame_client)
  end
end

vim.api.nvim_create_autocmd("FileType", { pattern = "multigame", callback = attach })
