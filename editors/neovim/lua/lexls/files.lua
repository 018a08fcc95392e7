--- What concerns other files than the current one: findings in all drafts, and new names of files.
local request = require("lexls.request")

local M = {}

--- The types of entries in the quickfix list, by the protocol's severities.
local TYPES = { "E", "W", "I", "N" }
--- How long a rename waits for the server: an answer that comes later is of no use.
local PATIENCE_MILLISECONDS = 10000

--- The entries of the quickfix list for the diagnostics of one file.
local function entries(uri, diagnostics, encoding)
  local locations = vim.tbl_map(function(each)
    return { uri = uri, range = each.range, diagnostic = each }
  end, diagnostics)
  return vim.tbl_map(function(item)
    local found = item.user_data.diagnostic
    item.text = ("%s [%s]"):format(found.message, found.code)
    item.type = TYPES[found.severity]
    item.user_data = nil
    return item
  end, vim.lsp.util.locations_to_items(locations, encoding))
end

--- What is shown of the open drafts, which the server reports by themselves.
local function open_drafts(client)
  local found = {}
  for bufnr in pairs(client.attached_buffers) do
    vim.list_extend(found, vim.diagnostic.toqflist(vim.tbl_filter(function(each)
      return each.source == "lexls"
    end, vim.diagnostic.get(bufnr))))
  end
  return found
end

--- Lists the findings in all drafts of the workspace, open or not, in the quickfix list.
function M.problems()
  local client = request.attached()
  if not client then
    return
  end
  request.call(client, "request", "workspace/diagnostic", { previousResultIds = {} }, function(err, report)
    if err then
      request.notify(err.message, vim.log.levels.ERROR)
      return
    end
    local items = open_drafts(client)
    for _, each in ipairs(report.items) do
      vim.list_extend(items, entries(each.uri, each.items or {}, client.offset_encoding))
    end
    vim.fn.setqflist({}, " ", { title = "lexls: findings in drafts", items = items })
    if #items == 0 then
      request.notify("there are no findings in the drafts of this workspace")
    else
      vim.cmd("botright copen")
    end
  end)
end

--- Gives the file of the current buffer another name, and changes what names it: `name` is a path, or a folder.
---@param name string
function M.rename(name)
  local client = request.attached()
  local old = vim.api.nvim_buf_get_name(0)
  if not client then
    return
  end
  if name == "" or not vim.uv.fs_stat(old) then
    request.notify(name == "" and "give the new name: :Lexls rename {name}" or "this buffer has no file", vim.log.levels.ERROR)
    return
  end
  local new = vim.fn.fnamemodify(name, ":p")
  if vim.fn.isdirectory(new) == 1 then
    new = vim.fs.joinpath(new, vim.fs.basename(old))
  end
  if vim.uv.fs_stat(new) then
    request.notify(new .. " is there already", vim.log.levels.ERROR)
    return
  end
  local params = { files = { { oldUri = vim.uri_from_fname(old), newUri = vim.uri_from_fname(new) } } }
  local answer, problem = request.call(client, "request_sync", "workspace/willRenameFiles", params, PATIENCE_MILLISECONDS, 0)
  local edit = answer and answer.result
  if not answer or answer.err then
    request.notify(problem or answer.err.message, vim.log.levels.ERROR)
    return
  end
  local changed = 0
  if edit and edit ~= vim.NIL then
    vim.lsp.util.apply_workspace_edit(edit, client.offset_encoding)
    changed = edit.documentChanges and #edit.documentChanges or vim.tbl_count(edit.changes)
  end
  vim.lsp.util.rename(old, new, {})
  if changed > 0 then
    vim.cmd.redraw() -- two messages would wait for a key
    request.notify(("%d file(s) named it and were changed; :wall writes them"):format(changed))
  end
end

return M
