-- usage: nvim --clean --headless -l installing.lua NVIM WORKSPACE STATE      STATE: an empty folder for configurations
-- Installs the plugin as docs/editors.md says, once for each way, and asks a Neovim that starts from nothing else what
-- it found. Of lazy.nvim and vim-plug, which are not installed here, only what they do to a plugin is done.
local nvim, workspace, state = unpack(arg)
local here = vim.fs.dirname(vim.fn.fnamemodify(debug.getinfo(1).source:sub(2), ":p"))
local sample = vim.json.decode(table.concat(vim.fn.readfile(here .. "/../sample.json"), "\n"))
local draft = workspace .. "/" .. sample.draft

local function run(...)
  local result = vim.system({ ... }, { text = true, timeout = 120000 }):wait()
  return result.code == 0, result.stdout .. result.stderr
end
--- What the manual has people copy.
local function block(heading)
  local found, text = run(os.getenv("LEXLS_PYTHON") or "python3", here .. "/../block.py", heading)
  assert(found, text)
  return text
end

-- Says what is wrong, if anything is, and leaves.
local HELP = [[
local ok, problem = pcall(function()
  assert(vim.fn.exists(":Lexls") == 2, "there is no :Lexls")
  vim.cmd("help lexls")
  assert(vim.bo.buftype == "help" and vim.fn.expand("%:t") == "lexls.txt", "the manual is not found")
  vim.cmd("help lexls-settings")
  assert(vim.api.nvim_get_current_line():find("lexls-settings", 1, true), "the tags are not in step")
  vim.cmd("checkhealth lexls")
  local health = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
  assert(health:find("lexls: server", 1, true) and not health:find("ERROR", 1, true), health)
end)
io.stdout:write(ok and "" or tostring(problem))
vim.cmd(ok and "qall!" or "cquit!")
]]
local HOVER = [[
local at, shows = unpack(vim.json.decode(vim.env.LEXLS_SAMPLE))
local said = "nothing is attached"
local came = vim.wait(90000, function()
  local client = vim.lsp.get_clients({ name = "lexls", bufnr = 0 })[1]
  if not client then
    return false
  end
  vim.fn.cursor(1, 1)
  vim.fn.search([=[\V]=] .. at)
  local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
  local answer = client:request_sync("textDocument/hover", params, 5000, 0)
  said = vim.inspect(answer)
  return answer and answer.result and said:find(shows, 1, true) ~= nil
end, 500)
local missing = came and "" or said
if pcall(require, "lexls") then
  missing = "the plugin is there, too"
end
io.stdout:write(missing)
vim.cmd(missing == "" and "qall!" or "cquit!")
]]

local passed, failed = 0, 0
--- Starts Neovim with a configuration and nothing else, and has it run Lua; `prepare` gets the home folder.
local function check(name, init, code, prepare)
  local home = ("%s/%d"):format(state, passed + failed)
  local config = home .. "/.config/nvim"
  vim.fn.mkdir(config, "p")
  local ok, problem = pcall(function()
    vim.fn.writefile(vim.split(init, "\n"), config .. "/init.lua")
    vim.fn.writefile(vim.split(code, "\n"), home .. "/code.lua")
    vim.fn.mkdir(home .. "/.local/share", "p")
    assert(vim.uv.fs_symlink(os.getenv("XDG_DATA_HOME") .. "/lexls", home .. "/.local/share/lexls")) -- the sample, as it was read
    if prepare then
      prepare(home)
    end
    local sample_of_hover = vim.json.encode({ sample.hover.at, sample.hover.shows[1] })
    local well, said = run("env", "-u", "XDG_CONFIG_HOME", "-u", "XDG_DATA_HOME", "HOME=" .. home, "LEXLS_SAMPLE=" .. sample_of_hover,
      nvim, "--headless", "-n", "+edit " .. draft, "+luafile " .. home .. "/code.lua")
    assert(well, said)
  end)
  passed, failed = passed + (ok and 1 or 0), failed + (ok and 0 or 1)
  io.stdout:write((ok and "ok   " or "FAIL ") .. name .. (ok and "" or "\n" .. tostring(problem)) .. "\n")
end

check("as a package", "", HELP, function(home)
  local made, problem = run("env", "HOME=" .. home, "sh", "-ec", block("Packages"))
  assert(made, problem)
end)

-- vim-plug puts the folders first in 'runtimepath' while the configuration is read; Neovim does the rest.
check("as vim-plug does it", ([[
vim.cmd([=[
function! s:plug(path, options)
  let &runtimepath = expand(a:path) . '/,' . &runtimepath
endfunction
command! -nargs=+ -bar Plug call s:plug(<args>)
%s]=])]]):format(block("vim-plug")), HELP)

-- lazy.nvim has Neovim load nothing, puts a 'runtimepath' of its own in its place, and sources the plugins itself.
check("as lazy.nvim does it", ([[
vim.go.loadplugins = false
local spec = %s
assert(spec.lazy == false)
local folder = vim.fs.normalize(spec.dir)
local own = vim.tbl_filter(function(each)
  return each == vim.env.VIMRUNTIME or vim.fn.isdirectory(each .. "/parser") == 1
end, vim.opt.runtimepath:get())
vim.opt.runtimepath = { vim.fn.stdpath("config"), unpack(own) }
vim.opt.runtimepath:prepend(folder)
for _, each in ipairs(vim.fn.glob(folder .. "/plugin/**/*.lua", true, true)) do
  vim.cmd.source(each)
end]]):format(block("lazy.nvim")), HELP)

if vim.fn.has("nvim-0.11") == 1 then
  for name, file in pairs({ ["one file, without the plugin"] = "editors/neovim/lsp/lexls.lua", ["as nvim-lspconfig has it"] = "packaging/nvim-lspconfig.lua" }) do
    check(name, block("Without the plugin"), HOVER, function(home)
      vim.fn.mkdir(home .. "/.config/nvim/lsp")
      assert(vim.uv.fs_copyfile(here .. "/../../../" .. file, home .. "/.config/nvim/lsp/lexls.lua"))
    end)
  end

  -- A firm's server on this machine, for which the sample's settings and library are its own; ssh is a script that
  -- starts there what it would on the other machine.
  local made, problem = run("sh", "-ec", [[
mkdir -p "$1/data/lexls/clients" "$1/bin" && cd "$1"
ln -s "$XDG_DATA_HOME/lexls/indexes" data/lexls/indexes
cp "$2/lexls.toml" data/lexls/clients && ln -s "$2/library" data/lexls/clients/library
printf '#!/bin/sh\n[ "$1" = firm ] && shift && XDG_DATA_HOME="%s/data" exec "$@"\n' "$1" >bin/ssh
chmod +x bin/ssh]], "sh", state .. "/firm", workspace)
  assert(made, problem)
  local plugin = vim.fs.normalize(here .. "/../../../editors/neovim")
  check("a server on another machine", ("vim.env.PATH = %q .. vim.env.PATH\nvim.opt.runtimepath:prepend(%q)\n%s"):format(
    state .. "/firm/bin:", plugin, block("A server on another machine")), (HOVER:gsub("if pcall.-\nend\n", "")))
end

io.stdout:write(("%d passed, %d failed\n"):format(passed, failed))
os.exit(failed == 0 and 0 or 1, true)
