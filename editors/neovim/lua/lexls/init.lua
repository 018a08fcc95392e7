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
  ocr = "reading scans",
  embedding = "embedding",
  paused = "paused",
  failed = "failed",
  none = "no library",
}

--- The last status of each server, by client id.
---@type table<integer, { phase: string, done: integer, total: integer, message: string }>
local statuses = {}

---@class lexls.Options
---@field enable? boolean false: leave it to you to call vim.lsp.enable("lexls")
---@field cmd? string[] the server and its arguments
---@field filetypes? string[]
---@field settings? table settings of the server, nested: { hover = { propositions = false } }

--- `vim.g.lexls` with what it leaves out.
---@return lexls.Options
function M.options()
  return vim.tbl_extend("keep", vim.g.lexls or {}, {
    enable = true,
    cmd = { "lexls", "serve" },
    filetypes = vim.tbl_map(function(each)
      return each.name
    end, require("lexls.declared").filetypes),
    settings = {},
  })
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

--- The kinds of semantic tokens that lexls has of its own, and the highlight groups that colour them.
local function tokens()
  return require("lexls.declared").tokens
end

--- Colours lexls' own kinds of tokens as Neovim colours the standard ones that come nearest, unless the user or the
--- colour scheme has said how.
function M.link_highlights()
  for _, token in ipairs(tokens()) do
    local group = "@lsp.type." .. token.id
    vim.api.nvim_set_hl(0, group, { link = "@lsp.type." .. token.standard, default = true })
  end
end

--- What Neovim and this plugin can do, and the kinds of tokens that `link_highlights` colours; but for Markdown: its display of
--- Markdown hides the brackets of "[2014] ASC 12" where they stand alone and shows the backslashes where they are
--- escaped.
local function capabilities()
  local able = vim.lsp.protocol.make_client_capabilities()
  local semantic = able.textDocument.semanticTokens
  local types = vim.list_extend({}, semantic and semantic.tokenTypes or {})
  for _, token in ipairs(tokens()) do
    table.insert(types, token.id)
  end
  return vim.tbl_deep_extend("force", able, {
    experimental = { lexls = { answers = true } }, -- answers are shown in buffers of ours, as they grow
    textDocument = {
      semanticTokens = semantic and { tokenTypes = types } or nil,
      hover = { contentFormat = { "plaintext" } },
      completion = { completionItem = { documentationFormat = { "plaintext" } } },
    },
  })
end

--- What runs a command that an action or a lens holds: a function of a module of ours, told the place.
local function there(module, name)
  return function(command, context)
    require(module)[name](vim.lsp.get_client_by_id(context.client_id), context.bufnr, command.arguments[1])
  end
end

--- Configuration for `vim.lsp.config` and `vim.lsp.start`; without `root_dir` where the version asks for a string.
---@return vim.lsp.ClientConfig
function M.config()
  local options = M.options()
  local config = {
    name = NAME,
    cmd = options.cmd,
    filetypes = options.filetypes,
    capabilities = capabilities(),
    get_language_id = function(_, filetype)
      for _, each in ipairs(require("lexls.declared").filetypes) do
        if each.name == filetype then
          return each.language
        end
      end
      return filetype
    end,
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
  }
  if vim.fn.has("nvim-0.11") == 1 then
    config.root_dir = function(bufnr, on_dir)
      on_dir(M.root(bufnr))
    end
  end
  return config
end

--- The server's status for a buffer, for a status line: "" without a server, "lexls" when it is ready.
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
    return "lexls"
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
  if vim.fn.executable(options.cmd[1]) == 0 then
    return
  end
  vim.api.nvim_create_autocmd("FileType", {
    group = vim.api.nvim_create_augroup("lexls", {}),
    pattern = options.filetypes,
    callback = function(event)
      M.start(event.buf)
    end,
  })
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(bufnr) and vim.tbl_contains(options.filetypes, vim.bo[bufnr].filetype) then
      M.start(bufnr)
    end
  end
end

return M
