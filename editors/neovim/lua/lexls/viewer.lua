--- PDFs of the library at their pages, in the viewer of the user's choice.
local lexls = require("lexls")
local request = require("lexls.request")

local M = {}

--- What is started where `vim.g.lexls.viewer` says nothing: the first that is installed.
local VIEWERS = {
  { "zathura", "--page={page}", "{file}" },
  { "sioyek", "--page", "{page}", "{file}" },
  { "okular", "--page", "{page}", "{file}" },
  { "evince", "--page-index={page}", "{file}" },
  { "SumatraPDF", "-page", "{page}", "{file}" },
}

local function installed()
  for _, each in ipairs(VIEWERS) do
    if vim.fn.executable(each[1]) == 1 then
      return each
    end
  end
end

--- Opens a file at a page; by the system's own viewer, which is told no page, where there is no other.
local function show(file, page)
  local template = lexls.options().viewer or installed()
  if not template then
    vim.ui.open(file)
    request.notify(("page %d; `viewer` in vim.g.lexls can open it there"):format(page))
    return
  end
  local command = vim.tbl_map(function(part)
    return (part:gsub("{(%w+)}", { file = file, page = tostring(page) }))
  end, template)
  local started, problem = pcall(vim.system, command, { detach = true })
  if not started then
    request.notify(tostring(problem), vim.log.levels.ERROR)
  end
end

--- Opens the PDF that a place of an authority is from, at its page; `otherwise` is called where there is none.
---@param client vim.lsp.Client
---@param place lsp.Location
---@param otherwise fun()
function M.open(client, place, otherwise)
  request.execute(client, 0, "lexls.evidence", { uri = place.uri, range = place.range }, function(evidence)
    if evidence then
      show(vim.uri_to_fname(evidence.uri), evidence.page)
    else
      otherwise()
    end
  end)
end

--- Opens the PDF of the passage at the cursor: in an authority its own, in a draft that of what is cited there.
function M.open_here()
  local bufnr = vim.api.nvim_get_current_buf()
  local client = lexls.client(bufnr) or vim.lsp.get_clients({ name = "lexls" })[1] or request.attached()
  if not client then
    return
  end
  local at = vim.lsp.util.make_position_params(0, client.offset_encoding)
  local function none()
    request.notify("what is at the cursor is no PDF of your library")
  end
  M.open(client, { uri = at.textDocument.uri, range = { start = at.position, ["end"] = at.position } }, function()
    if not lexls.client(bufnr) then
      return none()
    end
    request.call(client, "request", "textDocument/definition", at, function(_, found)
      local first = vim.islist(found) and found[1] or found
      if type(first) ~= "table" then
        return none()
      end
      M.open(client, { uri = first.targetUri or first.uri, range = first.targetRange or first.range }, none)
    end, bufnr)
  end)
end

return M
