--- Commands that the server executes, and answers that grow meanwhile.
local lexls = require("lexls")

local M = {}

--- How long an answer may take before something is said.
local PATIENCE_MILLISECONDS = 500

---@class lexls.Running
---@field client vim.lsp.Client
---@field request integer
---@field bufnr integer where it was asked
---@field grown? fun(update: { title: string, markdown: string })
---@field stopped? fun()

--- The answers that are being made, by the ids we gave them.
---@type table<string, lexls.Running>
M.running = {}
local count = 0

function M.notify(message, level)
  vim.notify("lexls: " .. message, level or vim.log.levels.INFO)
end

--- Calls a method of a client, whose methods took no `self` before Neovim 0.11.
function M.call(client, method, ...)
  if vim.fn.has("nvim-0.11") == 1 then
    return client[method](client, ...)
  end
  return client[method](...)
end

--- Has the server execute one of its commands; `answered` gets the result when there was no error.
function M.execute(client, bufnr, command, argument, answered, failed)
  local params = { command = command, arguments = argument and { argument } or {} }
  return M.call(client, "request", "workspace/executeCommand", params, function(err, result)
    if err then
      M.notify(err.message or vim.inspect(err), vim.log.levels.ERROR)
      if failed then
        failed()
      end
    else
      answered(result ~= vim.NIL and result or nil)
    end
  end, bufnr)
end

--- The server of a buffer, by default the current one; says so when there is none.
function M.attached(bufnr)
  local client = lexls.client(bufnr or 0)
  if not client then
    M.notify("no server is attached to this buffer (:checkhealth lexls says why)", vim.log.levels.WARN)
  end
  return client
end

--- The place of a command in the draft: its range (a characterwise Visual selection exactly), else the cursor.
---@return { uri: string, range: lsp.Range }
function M.place(command, client)
  local params
  if command.range > 0 then
    local first, last = { command.line1, 0 }, { command.line2, #vim.fn.getline(command.line2) }
    local mode = vim.fn.visualmode()
    local from, to = vim.api.nvim_buf_get_mark(0, "<"), vim.api.nvim_buf_get_mark(0, ">")
    if mode == "v" and from[1] == command.line1 and to[1] == command.line2 then
      first, last = from, to
    end
    params = vim.lsp.util.make_given_range_params(first, last, 0, client.offset_encoding)
  else
    params = vim.lsp.util.make_range_params(0, client.offset_encoding)
  end
  return { uri = params.textDocument.uri, range = params.range }
end

---@class lexls.Growing
---@field busy string what is said while it takes long
---@field grown? fun(update: { title: string, markdown: string }) gets what the answer says so far
---@field answered fun(result: table|nil) gets the whole
---@field stopped? fun() when somebody cancelled it

--- Has the server answer with one of its commands whose answers grow; `M.cancel` cancels it.
---@param client vim.lsp.Client
---@param bufnr integer where it is asked
---@param command string
---@param argument table
---@param on lexls.Growing
function M.answer(client, bufnr, command, argument, on)
  count = count + 1
  local id = ("neovim-%d-%d"):format(vim.fn.getpid(), count)
  argument = vim.tbl_extend("force", argument, { id = id })
  local function ended(next)
    return function(result)
      if M.running[id] then
        M.running[id] = nil
        next(result)
      end
    end
  end
  local sent, request = M.execute(client, bufnr, command, argument, ended(on.answered), ended(on.stopped or function() end))
  if not sent then
    M.notify("the server is gone (:Lexls restart)", vim.log.levels.ERROR)
    return
  end
  M.running[id] = { client = client, request = request, bufnr = bufnr, grown = on.grown, stopped = on.stopped }
  vim.defer_fn(function()
    if M.running[id] then
      M.notify(on.busy .. " (:Lexls cancel stops it)")
    end
  end, PATIENCE_MILLISECONDS)
end

--- What the server says in `lexls/answer`.
function M.update(update)
  local each = M.running[update.id]
  if each and each.grown then
    each.grown(update)
  end
end

--- Cancels the answers that are being made, only those for a buffer if one is given; how many there were.
---@param bufnr? integer
---@return integer
function M.cancel(bufnr)
  local stopped = 0
  for id, each in pairs(M.running) do
    if not bufnr or each.bufnr == bufnr then
      M.running[id] = nil
      stopped = stopped + 1
      M.call(each.client, "cancel_request", each.request)
      if each.stopped then
        each.stopped()
      end
    end
  end
  return stopped
end

return M
