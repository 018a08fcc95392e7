--- lexls in Neovim: where the server is, which buffers it sees, what it says of itself.
local M = {}

local NAME = "lexls"
--- Files and folders that mark the folder of a draft, the most telling first.
local MARKERS = {
  { names = { "lexls.toml" }, type = "file" },
  { names = { "library", "authorities" }, type = "directory" },
  { names = { ".git" } },
}
--- What the phases are called that somebody should see; "ready" and "lexical" need no words.
local PHASES = {
  starting = "starting",
  scanning = "looking",
  reading = "indexing",
  citations = "reading citations",
  ocr = "reading scans",
  embedding = "embedding",
  paused = "paused",
  failed = "failed",
  none = "no library",
}

--- The last status of each server, by client id.
---@type table<integer, { phase: string, done: integer, total: integer, message: string }>
local statuses = {}
--- What each server said last of the citations of a draft, by client id and URI.
---@type table<integer, table<string, { summary: string, counts: table<string, integer> }>>
local checked = {}
--- The clients that show hovers as `lexls/hover.lua` does.
---@type table<integer, true>
local taken = {}

---@class lexls.Options
---@field enable? boolean false: leave it to you to call vim.lsp.enable("lexls")
---@field cmd? string[] the server and its arguments
---@field filetypes? string[]
---@field settings? table settings of the server, nested: { hover = { propositions = false } }
---@field picker? "telescope"|"fzf-lua"|"snacks"|"select" what lists are shown in; the first that is installed
---@field viewer? string[] the command that opens a PDF, with "{file}" and "{page}" in it
---@field border? string|string[] of windows over the text, where 'winborder' is empty

--- `vim.g.lexls` with what it leaves out; `cmd` and `filetypes` are then those of `lsp/lexls.lua`.
---@return lexls.Options
function M.options()
  return vim.tbl_extend("keep", vim.g.lexls or {}, { enable = true, settings = {}, border = "rounded" })
end

--- The border of a window over the text: nil where 'winborder' decides (Neovim 0.11).
function M.border()
  if vim.fn.exists("+winborder") == 0 or vim.o.winborder == "" then
    return M.options().border
  end
end

--- The folder of a draft: the nearest one above it with `lexls.toml`, else with a library, else with `.git`.
--- The home folder and what lies above it never count: a `library` there is not one of authorities.
---@param bufnr integer
---@return string|nil
function M.root(bufnr)
  local name = vim.api.nvim_buf_get_name(bufnr)
  local start = name == "" and vim.uv.cwd() or vim.fs.dirname(vim.fs.normalize(name))
  for _, marker in ipairs(MARKERS) do
    local found = vim.fs.find(marker.names, {
      path = start,
      upward = true,
      type = marker.type,
      stop = vim.fs.normalize(vim.uv.os_homedir()),
    })[1]
    if found then
      return vim.fs.dirname(found)
    end
  end
end

--- Groups for lexls' kinds of tokens that can be told apart in Neovim's own colour scheme, where most kinds of the
--- protocol look like text.
local GROUPS = {
  caseName = "Function",
  citation = "Identifier",
  statute = "String",
  pinpoint = "Special",
  shortForm = "Function",
}

--- Colours lexls' own kinds of tokens, unless the user or the colour scheme has said how.
function M.link_highlights()
  for _, token in ipairs(require("lexls.declared").tokens) do
    local link = GROUPS[token.id] or ("@lsp.type." .. token.standard)
    vim.api.nvim_set_hl(0, "@lsp.type." .. token.id, { link = link, default = true })
  end
end

--- What Neovim and this plugin can do: the kinds of tokens that `link_highlights` colours, hovers that
--- `lexls/hover.lua` shows.
local function capabilities(alone)
  local able = vim.tbl_deep_extend("force", vim.lsp.protocol.make_client_capabilities(), alone)
  local semantic = able.textDocument.semanticTokens
  local types = vim.list_extend({}, semantic and semantic.tokenTypes or {})
  for _, token in ipairs(require("lexls.declared").tokens) do
    table.insert(types, token.id)
  end
  return vim.tbl_deep_extend("force", able, {
    experimental = { lexls = { status = true, answers = true } }, -- `lexls/status`, `lexls/checked`, `lexls/answer`
    workspace = { fileOperations = { willRename = true } }, -- `:Lexls rename`; file explorers send it, too
    textDocument = {
      semanticTokens = semantic and { tokenTypes = types } or nil,
      hover = { contentFormat = { "markdown", "plaintext" } },
    },
  })
end

--- What runs a command that an action or a lens holds: a function of a module of ours, told the place.
local function there(module, name)
  return function(command, context)
    require(module)[name](vim.lsp.get_client_by_id(context.client_id), context.bufnr, command.arguments[1])
  end
end

--- What `lsp/lexls.lua` says, and what this plugin adds to it.
---@param alone vim.lsp.Config
---@return vim.lsp.Config
function M.extend(alone)
  local options = M.options()
  local config = vim.tbl_extend("force", alone, {
    name = NAME,
    cmd = options.cmd,
    filetypes = options.filetypes,
    capabilities = capabilities(alone.capabilities),
    settings = { lexls = next(options.settings) and options.settings or vim.empty_dict() },
    before_init = function(params, given)
      local settings = given.settings and given.settings.lexls
      params.initializationOptions = settings and next(settings) and settings or nil
    end,
    handlers = {
      ["lexls/status"] = function(_, status, context)
        statuses[context.client_id] = status
        vim.api.nvim_exec_autocmds("User", { pattern = "LexlsStatus", modeline = false, data = status })
      end,
      ["lexls/checked"] = function(_, draft, context)
        checked[context.client_id] = checked[context.client_id] or {}
        checked[context.client_id][draft.uri] = draft
        vim.api.nvim_exec_autocmds("User", { pattern = "LexlsStatus", modeline = false, data = draft })
      end,
      ["lexls/answer"] = function(_, update)
        require("lexls.request").update(update)
      end,
    },
    commands = {
      ["lexls.findSupport"] = there("lexls.commands", "support_at"),
      ["lexls.more"] = there("lexls.commands", "more_at"),
      ["lexls.explain"] = there("lexls.explaining", "explain_at"),
      ["lexls.contrary"] = there("lexls.explaining", "contrary_at"),
      ["lexls.draft"] = there("lexls.explaining", "draft_at"),
    },
  })
  if vim.fn.has("nvim-0.11") == 1 then
    config.root_dir = function(bufnr, on_dir)
      on_dir(M.root(bufnr))
    end
  end
  return config
end

--- The configuration for `vim.lsp.start`; without `root_dir` where the version asks for a string.
---@return vim.lsp.ClientConfig
function M.config()
  local module = vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p")
  return dofile(vim.fs.dirname(vim.fs.dirname(vim.fs.dirname(module))) .. "/lsp/lexls.lua")
end

--- The server's status for a buffer, for a status line: "" without a server; when it is ready, the verdicts on
--- the buffer's citations, or "lexls" where nothing is cited.
---@param bufnr? integer
---@return string
function M.status(bufnr)
  local client = M.client(bufnr)
  if not client then
    return ""
  end
  local status = statuses[client.id]
  local words = status and PHASES[status.phase]
  if not words then
    local uri = vim.uri_from_bufnr(bufnr or vim.api.nvim_get_current_buf())
    local draft = (checked[client.id] or {})[uri]
    return draft and next(draft.counts) and "lexls: " .. draft.summary or "lexls"
  end
  local share = status.total > 0 and (" %d/%d"):format(status.done, status.total) or ""
  return ("lexls: %s%s"):format(words, share)
end

--- What the server last said of itself, if it said anything.
---@param client_id integer
function M.last_status(client_id)
  return statuses[client_id]
end

---@param bufnr? integer
---@return vim.lsp.Client|nil
function M.client(bufnr)
  return vim.lsp.get_clients({ bufnr = bufnr or 0, name = NAME })[1]
end

--- Does once for each of our clients what the plugin adds to it.
---@param client_id integer
function M.attached(client_id)
  local client = vim.lsp.get_client_by_id(client_id)
  if client and client.name == NAME and not taken[client_id] then
    taken[client_id] = true
    require("lexls.hover").take(client)
  end
end

--- Starts the server for a buffer (Neovim 0.10), or attaches the one that runs for its folder.
---@param bufnr integer
function M.start(bufnr)
  if vim.bo[bufnr].buftype ~= "" then
    return
  end
  local config = M.config()
  config.root_dir = M.root(bufnr)
  vim.lsp.start(config, { bufnr = bufnr })
end

--- Has drafts start the server, unless `vim.g.lexls.enable` is false or there is no server to start.
function M.enable()
  local options = M.options()
  if not options.enable then
    return
  end
  if vim.fn.has("nvim-0.11") == 1 then
    local cmd = vim.lsp.config[NAME].cmd
    if type(cmd) == "function" or vim.fn.executable(cmd[1]) == 1 then
      vim.lsp.enable(NAME)
    end
    return
  end
  local config = M.config()
  if vim.fn.executable(config.cmd[1]) == 0 then
    return
  end
  vim.api.nvim_create_autocmd("FileType", {
    group = vim.api.nvim_create_augroup("lexls", {}),
    pattern = config.filetypes,
    callback = function(event)
      M.start(event.buf)
    end,
  })
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(bufnr) and vim.tbl_contains(config.filetypes, vim.bo[bufnr].filetype) then
      M.start(bufnr)
    end
  end
end

return M
