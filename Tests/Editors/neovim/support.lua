-- Tests of Neovim that act in its main loop, as a person does: each is a coroutine that waits for what it expects.

local support = {}
local deadline_ms = tonumber(os.getenv("EDITOR_DEADLINE") or "20") * 1000
local tests = {}

--- Adds a test.
function support.test(name, body) table.insert(tests, { name = name, body = body }) end

--- Waits until `condition` returns something, which it returns; fails after the deadline.
function support.wait(what, condition)
  local task = coroutine.running()
  local timer, start = vim.loop.new_timer(), vim.loop.now()
  timer:start(0, 10, vim.schedule_wrap(function()
    if timer:is_closing() then return end
    local ok, result = pcall(condition)
    local is_late = vim.loop.now() - start > deadline_ms
    if ok and not result and not is_late then return end
    timer:close()
    local problem = not ok and result or not result and ("waited for " .. what) or nil
    support.resume(task, problem, result)
  end))
  local problem, result = coroutine.yield()
  if problem then error(problem, 2) end
  return result
end

--- Types keys, and waits until `condition` holds.
function support.keys(keys, what, condition)
  vim.api.nvim_input(keys)
  return support.wait(what, condition)
end

function support.equal(found, expected, what)
  if vim.deep_equal(found, expected) then return end
  error((what or "") .. " expected:\n" .. vim.inspect(expected) .. "\nfound:\n" .. vim.inspect(found), 2)
end

--- The text of the buffer.
function support.text() return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n") .. "\n" end

--- Opens a file of the test's folder with a text.
function support.open(name, text)
  local file = assert(io.open(name, "w"))
  file:write(text)
  file:close()
  vim.cmd("edit! " .. vim.fn.fnameescape(name))
end

--- Moves the cursor to `offset` bytes behind the beginning of the first occurrence of a text.
function support.go(text, offset)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local column = line:find(text, 1, true)
    if column then return vim.api.nvim_win_set_cursor(0, { number, column - 1 + (offset or 0) }) end
  end
  error("no " .. text, 2)
end

--- The text that a diagnostic marks.
function support.marked(diagnostic)
  return table.concat(vim.api.nvim_buf_get_text(
    0, diagnostic.lnum, diagnostic.col, diagnostic.end_lnum, diagnostic.end_col, {}), "\n")
end

function support.resume(task, ...)
  local ok, problem = coroutine.resume(task, ...)
  if not ok then support.finish(problem) end
end

function support.finish(problem)
  if problem then
    io.stdout:write("\nnot ok - " .. (support.current or "start") .. "\n" .. tostring(problem) .. "\n")
    vim.cmd("cquit 1")
  end
  vim.cmd("qall!")
end

--- Runs the tests, and ends Neovim.
function support.run()
  support.resume(coroutine.create(function()
    for _, test in ipairs(tests) do
      support.current = test.name
      test.body()
      io.stdout:write("\nok - " .. test.name .. "\n")
    end
    support.finish()
  end))
end

return support
