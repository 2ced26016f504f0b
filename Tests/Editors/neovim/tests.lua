-- Neovim with the configuration of docs/editors/README.md and the real server. The current folder is an empty one.

local support = dofile(os.getenv("EDITOR_TESTS") .. "/neovim/support.lua")
local test, wait, keys, equal = support.test, support.wait, support.keys, support.equal
local right = assert(io.open(os.getenv("EDITOR_TESTS") .. "/hello.yaml")):read("*a")
local clients = vim.lsp.get_clients or vim.lsp.get_active_clients

--- Opens a pipeline with a change, and waits for its diagnostics.
local function open(old, new)
  local start, stop = right:find(old, 1, true)
  support.open("hello.yaml", right:sub(1, start - 1) .. new .. right:sub(stop + 1))
  return wait("diagnostics", function()
    local found = vim.diagnostic.get(0)
    return #found > 0 and found
  end)
end

local function has_no_diagnostics() return #vim.diagnostic.get(0) == 0 end

test("another YAML file is not checked", function()
  support.open("docker-compose.yaml", "services:\n  web: { image: nginx }\n")
  equal(vim.bo.filetype, "yaml")
  equal(#clients(), 0)
end)

test("a file becomes a pipeline when it is saved as one", function()
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { "pipeline: web", "stesp: []" })
  vim.cmd("write")
  wait("diagnostics", function() return #vim.diagnostic.get(0) > 0 end)
  vim.cmd("bdelete!")
end)

test("a mistake is shown at its place, and a code action corrects it", function()
  local found = open("upload:", "uplaod:")
  local mistake = vim.tbl_filter(function(one) return one.code == "unknown-key" end, found)[1]
  equal(support.marked(mistake), "uplaod")
  assert(mistake.message:find("did you mean 'upload'?", 1, true), mistake.message)
  equal(mistake.severity, vim.diagnostic.severity.ERROR)
  support.go("uplaod")
  vim.ui.select = function(items, options, choose)
    for index, item in ipairs(items) do
      if options.format_item(item):find("'uplaod' with 'upload'", 1, true) then return choose(item, index) end
    end
  end
  keys("gra", "the correction", function() return support.text() == right end)
  wait("no diagnostics", has_no_diagnostics)
end)

test("a diagnostic behind an emoji is at its place", function()
  local found = open("steps.begin.id", "steps.begin.idd")
  equal(support.marked(found[1]), "idd")
  support.go("idd")
  keys("rX", "a change behind an emoji", function()
    local list = vim.diagnostic.get(0)
    return #list > 0 and list[1].message:find("Xdd", 1, true)
  end)
end)

test("completion offers the outputs of a step, behind an emoji", function()
  open("steps.begin.id", "steps.begin.")
  support.go("steps.begin.", 12)
  keys("i<C-x><C-o>", "the completion", function() return support.text() == right end)
  keys("<Esc>", "the end of the completion", function() return vim.api.nvim_get_mode().mode == "n" end)
  wait("no diagnostics", has_no_diagnostics)
end)

test("hover explains a key", function()
  support.go("upload:")
  local before = #vim.api.nvim_list_wins()
  keys("K", "the window", function() return #vim.api.nvim_list_wins() > before end)
  local window = vim.tbl_filter(function(one) return vim.api.nvim_win_get_config(one).relative ~= "" end,
    vim.api.nvim_list_wins())[1]
  local text = table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), "\n")
  assert(text:find("upload", 1, true), text)
  vim.api.nvim_win_close(window, true)
end)

test("a definition is found from a use behind an emoji", function()
  support.go("steps.begin.id", 12)
  keys("gd", "the definition", function() return vim.fn.expand("<cword>") == "id" and vim.fn.line(".") < 16 end)
  local line = vim.api.nvim_get_current_line()
  assert(line:find("id: { value", 1, true), line)
end)

test("a rename to an invalid name changes nothing and says why", function()
  local told
  local notify, echo = vim.notify, vim.api.nvim_err_writeln
  vim.notify = function(text) told = text end
  vim.api.nvim_err_writeln = function(text) told = text end
  support.go("inputs.server", 7)
  vim.lsp.buf.rename("No Name")
  wait("a message", function() return told and told:find("No Name", 1, true) end)
  vim.notify, vim.api.nvim_err_writeln = notify, echo
  equal(support.text(), right)
end)

test("a rename changes the declaration and a use behind an emoji", function()
  support.go("steps.begin.id", 12)
  vim.ui.input = function(options, confirm)
    equal(options.default, "id")
    confirm("key")
  end
  local expected = right:gsub("id: { value", "key: { value"):gsub("begin%.id", "begin.key")
  keys("grn", "the rename", function() return support.text() == expected end)
  wait("no diagnostics", has_no_diagnostics)
end)

test("the server ends with the editor", function()
  for _, client in pairs(clients()) do client.stop() end
  wait("the end", function() return #clients() == 0 end)
end)

support.run()
