--- :checkhealth lexls
local lexls = require("lexls")
local health = vim.health

local M = {}

--- The command that would be started, whoever set it.
local function command()
  if vim.fn.has("nvim-0.11") == 1 then
    return vim.lsp.config.lexls.cmd
  end
  return lexls.config().cmd
end

local function check_neovim()
  health.start("lexls: Neovim")
  if vim.fn.has("nvim-0.11") == 1 then
    health.ok(("Neovim %s: started through vim.lsp.enable"):format(tostring(vim.version())))
  elseif vim.fn.has("nvim-0.10") == 1 then
    health.ok(("Neovim %s: started on FileType through vim.lsp.start"):format(tostring(vim.version())))
  else
    health.error("lexls needs Neovim 0.10 or newer")
  end
  if not lexls.options().enable then
    health.info("vim.g.lexls.enable is false: lexls starts only where you enable it")
  end
end

local function check_server()
  health.start("lexls: server")
  local cmd = command()
  if type(cmd) == "function" then
    health.info("the server is reached through a function of yours")
    return
  end
  local program = vim.fn.exepath(cmd[1])
  if program == "" then
    health.error(("%s is not executable"):format(cmd[1]), {
      "Install it: pipx install lexls, or pip install lexls in an environment whose bin folder is on PATH",
      'Or name it: vim.g.lexls = { cmd = { "/path/to/lexls", "serve" } }',
    })
    return
  end
  if vim.list_contains(cmd, "--client") then -- whose key may start nothing else there
    health.ok(("the server on another machine is reached through %s"):format(program))
    return
  end
  -- Whatever stands before the command belongs to the program (python -m lexls).
  local ask = {}
  for _, word in ipairs(cmd) do
    if word == "serve" then
      break
    end
    table.insert(ask, word)
  end
  table.insert(ask, "--version")
  local ran, result = pcall(function()
    return vim.system(ask, { text = true }):wait(30000)
  end)
  local version = ran and result.code == 0 and result.stdout:match("lexls (%S+)")
  if version then
    health.ok(("lexls %s: %s"):format(version, program))
  else
    local reason = ran and vim.trim(result.stderr ~= "" and result.stderr or result.stdout) or tostring(result)
    health.error(("%s does not answer --version: %s"):format(program, reason))
  end
end

local function check_clients()
  health.start("lexls: running servers")
  local clients = vim.lsp.get_clients({ name = "lexls" })
  if #clients == 0 then
    health.info("none; one starts when you open a draft: " .. table.concat(lexls.config().filetypes, ", "))
  end
  for _, client in ipairs(clients) do
    local buffers = vim.tbl_count(client.attached_buffers)
    health.ok(("%s: %d buffer(s), %s positions"):format(client.root_dir or "no folder", buffers, client.offset_encoding))
    local offered = client.server_capabilities.executeCommandProvider
    if not vim.list_contains(offered and offered.commands or {}, "lexls.ask") then
      health.warn("this server answers no questions: it is older than the plugin (:Lexls ask, draft, contrary)")
    end
    local operations = (client.server_capabilities.workspace or {}).fileOperations
    if operations and operations.willRename then
      health.ok("findings in drafts that are not open: :Lexls problems; renamed files: :Lexls rename")
    else
      health.warn("this server follows no renamed files: it is older than the plugin (:Lexls rename, problems)")
    end
    local status = lexls.last_status(client.id)
    if status and status.phase == "failed" then
      health.error("indexing failed: " .. status.message)
    elseif status and status.phase == "none" then
      health.warn(status.message)
    elseif status then
      health.info(("%s: %s"):format(status.phase, status.message))
    end
  end
end

function M.check()
  check_neovim()
  check_server()
  check_clients()
end

return M
