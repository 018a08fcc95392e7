--- :Lexls and what its subcommands do.
local lexls = require("lexls")
local page = require("lexls.page")
local request = require("lexls.request")

local M = {}

local attached, call, execute, notify = request.attached, request.call, request.execute, request.notify

---@class lexls.Hit
---@field title string
---@field cited string what stands behind the title where it is cited
---@field quote string the sentence that bears most
---@field text string the passage
---@field warning string
---@field edit lsp.WorkspaceEdit
---@field target lsp.Location

--- One line: title, citation and place, then as much of the best sentence as fits.
local function line(hit)
  local warning = hit.warning ~= "" and ("⚠ %s"):format(hit.warning) or ""
  local head = table.concat(vim.tbl_filter(function(part)
    return part ~= ""
  end, { hit.title, hit.cited, warning }), " ")
  local room = math.max(vim.o.columns - vim.fn.strdisplaywidth(head) - 12, 20)
  local text = hit.quote
  if vim.fn.strchars(text) > room then
    text = vim.fn.strcharpart(text, 0, room) .. "…"
  end
  return head .. " — " .. text
end

--- Why all that was found is too far from the sentence; an older server does not tell.
local function said_of_all(hit)
  return hit.distance or ""
end

--- The passage, for pickers that show one beside the list, behind what is said of all of them.
local function preview(hit)
  local head = said_of_all(hit) ~= "" and { said_of_all(hit), "" } or {}
  return vim.list_extend(vim.list_extend(head, { hit.title, hit.cited, "" }), vim.split(vim.trim(hit.text), "\n"))
end

--- Offers the authorities for a place of a draft and inserts the citation of the one chosen.
---@param client vim.lsp.Client
---@param bufnr integer
---@param place { uri: string, range: lsp.Range }
function M.support_at(client, bufnr, place)
  local tick = vim.api.nvim_buf_get_changedtick(bufnr)
  execute(client, bufnr, "lexls.findSupport", place, function(hits)
    if not hits or #hits == 0 then
      notify("nothing in your library fits this sentence")
      return
    end
    local list = { prompt = "Supporting authority:", kind = "lexls.support", line = line, preview = preview }
    list.warning = said_of_all(hits[1])
    require("lexls.picker").choose(hits, list, function(hit)
      if not hit then
        return
      end
      if not vim.api.nvim_buf_is_valid(bufnr) or vim.api.nvim_buf_get_changedtick(bufnr) ~= tick then
        notify("the draft changed in the meantime; nothing was inserted", vim.log.levels.WARN)
        return
      end
      vim.lsp.util.apply_workspace_edit(hit.edit, client.offset_encoding)
    end)
  end)
end

--- Does what an action of the server says, with the client's own commands where it has them.
local function take(client, bufnr, action)
  if action.edit then
    vim.lsp.util.apply_workspace_edit(action.edit, client.offset_encoding)
  end
  local command = action.command
  local own = command and client.commands[command.command]
  if own then
    own(command, { client_id = client.id, bufnr = bufnr })
  elseif command then
    execute(client, bufnr, command.command, command.arguments[1], function() end)
  end
end

--- Offers what else can be done at a place of a draft, and does what is chosen.
---@param client vim.lsp.Client
---@param bufnr integer
---@param place { uri: string, range: lsp.Range }
function M.more_at(client, bufnr, place)
  execute(client, bufnr, "lexls.more", place, function(actions)
    local function title(action)
      return action.title
    end
    vim.ui.select(actions or {}, { prompt = "What next?", kind = "lexls.more", format_item = title }, function(action)
      if action then
        take(client, bufnr, action)
      end
    end)
  end)
end

--- Plain data as an indented list.
local function list(data, indent)
  local lines = {}
  local keys = vim.tbl_keys(data)
  table.sort(keys, function(a, b)
    return type(a) == type(b) and a < b or tostring(a) < tostring(b)
  end)
  for _, key in ipairs(keys) do
    local value = data[key]
    local name = type(key) == "number" and "" or ("%s: "):format((key:gsub("_", " ")))
    if type(value) == "table" and next(value) then
      table.insert(lines, indent .. "- " .. vim.trim(name))
      vim.list_extend(lines, list(value, indent .. "  "))
    else
      local shown = (value == vim.NIL or type(value) == "table") and "none" or tostring(value)
      table.insert(lines, indent .. "- " .. name .. shown)
    end
  end
  return lines
end

local subcommands = {}

function subcommands.support(command)
  local client = attached()
  if client then
    M.support_at(client, vim.api.nvim_get_current_buf(), request.place(command, client))
  end
end

function subcommands.explain()
  local client = attached()
  if client then
    local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
    local place = { uri = params.textDocument.uri, position = params.position }
    require("lexls.explaining").explain_at(client, vim.api.nvim_get_current_buf(), place)
  end
end

function subcommands.contrary(command)
  local client = attached()
  if client then
    local place = request.place(command, client)
    require("lexls.explaining").contrary_at(client, vim.api.nvim_get_current_buf(), place)
  end
end

function subcommands.draft(command)
  local client = attached()
  if client then
    local place = request.place(command, client)
    require("lexls.explaining").draft_at(client, vim.api.nvim_get_current_buf(), place)
  end
end

--- Asks the library what stands behind `:Lexls ask`, or what is then typed; in an answer's buffer it asks further.
function subcommands.ask(command)
  require("lexls.asking").ask((command.args:gsub("^%s*%S+%s*", "", 1)))
end

function subcommands.threads()
  require("lexls.asking").threads()
end

--- Reviews the whole brief: `:Lexls review`; with files, beside the briefs of opponents.
function subcommands.review(command)
  require("lexls.reviewing").review(vim.list_slice(command.fargs or {}, 2))
end

--- Lists the findings in all drafts of the workspace.
function subcommands.problems()
  require("lexls.files").problems()
end

--- Gives the current file another name: `:Lexls rename {name}`.
function subcommands.rename(command)
  require("lexls.files").rename((command.args:gsub("^%s*%S+%s*", "", 1)))
end

--- Opens the PDF of the passage at the cursor at its page.
function subcommands.page()
  require("lexls.viewer").open_here()
end

function subcommands.cancel()
  if request.cancel() == 0 then
    notify("nothing is being answered")
  end
end

--- Writes the citations of the buffer in a style: `:Lexls convert oscola`; without one, that of the settings.
function subcommands.convert(command)
  local client = attached()
  if not client then
    return
  end
  local style = command.fargs and command.fargs[2]
  local argument = { uri = vim.uri_from_bufnr(0), style = style }
  execute(client, 0, "lexls.convertCitations", argument, function(answer)
    if answer then
      notify(("%d of %d citations were rewritten"):format(answer.converted, answer.citations))
    else
      notify("the library is not open yet", vim.log.levels.WARN)
    end
  end)
end

--- Inserts the table of authorities at the cursor, or brings the one in the buffer up to date.
function subcommands.table()
  local client = attached()
  if not client then
    return
  end
  local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
  local argument = { uri = params.textDocument.uri, position = params.position }
  execute(client, 0, "lexls.tableOfAuthorities", argument, function(answer)
    if not answer then
      notify("the library is not open yet", vim.log.levels.WARN)
    elseif not answer.applied and (answer.reason or "") == "" then
      notify("the table of authorities is up to date")
    end
  end)
end

function subcommands.status()
  local client = attached()
  if client then
    execute(client, 0, "lexls.status", nil, function(status)
      local lines = vim.list_extend({ "lexls", "" }, list(status or {}, ""))
      page.float("lexls.status", lines, { { 0, 0, #lines[1], "Title" } })
    end)
  end
end

function subcommands.reindex()
  local client = attached()
  if client then
    execute(client, 0, "lexls.reindex", nil, function()
      notify("reading the library again")
    end)
  end
end

--- Stops reading and embedding the library, or goes on with it.
local function indexing(command, said)
  return function()
    local client = attached()
    if client then
      execute(client, 0, command, nil, function()
        notify(said)
      end)
    end
  end
end

subcommands.pause = indexing("lexls.pauseIndexing", "indexing is paused; :Lexls resume goes on")
subcommands.resume = indexing("lexls.resumeIndexing", "indexing goes on")

--- Stops every lexls and starts it again for the buffers it was attached to.
function subcommands.restart()
  local clients = vim.lsp.get_clients({ name = "lexls" })
  if #clients == 0 then
    lexls.start(vim.api.nvim_get_current_buf())
    return
  end
  for _, client in ipairs(clients) do
    local buffers = vim.tbl_keys(client.attached_buffers)
    local config = client.config
    call(client, "stop")
    local timer = assert(vim.uv.new_timer())
    local waited = 0
    timer:start(50, 50, vim.schedule_wrap(function()
      if timer:is_closing() then
        return
      end
      waited = waited + 50
      if vim.lsp.get_client_by_id(client.id) then
        if waited == 5000 then
          call(client, "stop", true)
        end
        return
      end
      timer:close()
      for _, bufnr in ipairs(buffers) do
        if vim.api.nvim_buf_is_loaded(bufnr) then
          vim.lsp.start(config, { bufnr = bufnr })
        end
      end
    end))
  end
end

function subcommands.log()
  local path = vim.fn.has("nvim-0.12") == 1 and vim.lsp.log.get_filename() or vim.lsp.get_log_path()
  vim.cmd.split({ args = { path } })
  vim.bo.readonly = true
  vim.cmd("normal! G")
end

--- Runs `:Lexls {subcommand}`; without one, `status`.
function M.run(command)
  local name = command.fargs and command.fargs[1] or command.args
  name = name == "" and "status" or name
  local subcommand = subcommands[name]
  if subcommand then
    subcommand(command)
  else
    notify(("there is no :Lexls %s; try %s"):format(name, table.concat(M.complete(""), ", ")), vim.log.levels.ERROR)
  end
end

--- The subcommands that begin with `lead`; files behind `review` and `rename`, nothing behind another.
function M.complete(lead, line)
  if line and (line:find("^.-Lexls!?%s+review%s") or line:find("^.-Lexls!?%s+rename%s")) then
    return vim.fn.getcompletion(lead, "file")
  end
  if line and line:find("^.-Lexls!?%s+%S+%s") then
    return {}
  end
  local names = vim.tbl_filter(function(name)
    return vim.startswith(name, lead)
  end, vim.tbl_keys(subcommands))
  table.sort(names)
  return names
end

return M
