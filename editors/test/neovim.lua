-- Drives Neovim without a screen; the environment names the program and a file of rules with a mistake.
vim.g.multigame_path = os.getenv("MULTIGAME")
vim.cmd("luafile " .. os.getenv("PLUGIN"))
vim.cmd("edit " .. os.getenv("RULES"))

local function check(what, condition)
  if not vim.wait(60000, condition, 20) then
    print("\n" .. what .. ": this did not happen\n")
    vim.cmd("cquit")
  end
end

local function ask(method, extra)
  local params = vim.lsp.util.make_position_params()
  for key, value in pairs(extra or {}) do params[key] = value end
  for _, answer in pairs(vim.lsp.buf_request_sync(0, method, params, 60000) or {}) do
    if answer.error then error(answer.error.message) end
    return answer.result
  end
end

check("file type", function() return vim.bo.filetype == "multigame" end)
check("a diagnostic", function() return #vim.diagnostic.get(0) == 1 end)
assert(vim.diagnostic.get(0)[1].message:find("emty"), "the message")
vim.cmd([[%s/emty/empty/]])
check("no diagnostics", function() return #vim.diagnostic.get(0) == 0 end)
vim.fn.search("\\<find\\>")
assert(ask("textDocument/hover").contents.value:find("Puts the finger"), "hover")
vim.fn.search("three_in_a_row")
assert(#ask("textDocument/definition") == 1, "definition")
assert(#ask("textDocument/completion").items > 10, "completion")
vim.lsp.buf.rename("row_of_three")
check("another name", function()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n"):find("row_of_three =")
end)
local lenses = ask("textDocument/codeLens")
assert(lenses[1].command.command == "multigame.play", "lenses")
vim.lsp.commands["multigame.perft"]({ arguments = { { arguments = { "perft", os.getenv("RULES"), "1" } } } })
print("\nNeovim works\n")
vim.cmd("qall!")
