-- What the scripts that type into a real Neovim share: dofile gives a function that starts one in tmux. It gives functions that
-- type into it, look at its screen, ask it over RPC, and count checks.
--   start { nvim =, workspace =, draft =, out = (for screens), socket = (for tmux to make), settings = (what `set` and commands follow first),
--     checks = {names of those to run} (all without it) }
local plugin = vim.fs.normalize(vim.fs.dirname(vim.fn.fnamemodify(debug.getinfo(1).source:sub(2), ":p")) .. "/../../../editors/neovim")
return function(options)
  local nvim, workspace, draft = options.nvim, options.workspace, options.draft
  local out, terminal = options.out, options.socket
  local socket = vim.fn.tempname()
  local channel
  vim.fn.mkdir(out, "p")

  local function tmux(...)
    local result = vim.system({ "tmux", "-S", terminal, "-f", "/dev/null", ... }, { text = true }):wait()
    assert(result.code == 0, "tmux: " .. result.stderr)
    return result.stdout
  end
  local function screen()
    return tmux("capture-pane", "-p")
  end
  local function keep(name)
    local file = assert(io.open(("%s/%s.ansi"):format(out, name:gsub("%W+", "-")), "w"))
    file:write(tmux("capture-pane", "-e", "-p"))
    file:close()
  end
  --- Types keys as they are; <Name> in tmux's own names goes through `press`.
  local function type_(text)
    tmux("send-keys", "-l", text)
  end
  local function press(...)
    tmux("send-keys", ...)
  end

  --- Runs Lua in Neovim. One that waits for a key would never answer, so that is looked at first.
  local function remote(code, ...)
    local free = vim.wait(5000, function()
      return not vim.rpcrequest(channel, "nvim_get_mode").blocking
    end, 20)
    assert(free, "Neovim waits for a key:\n" .. screen())
    return vim.rpcrequest(channel, "nvim_exec_lua", code, { ... })
  end
  --- Waits until `f` gives something true and returns it; `what` says in words what did not come.
  local function until_(what, f, milliseconds)
    local value
    local came = vim.wait(milliseconds or 30000, function()
      value = f()
      return value and true or false
    end, 50)
    assert(came, "this did not come: " .. what)
    return value
  end
  local function contains(text, part)
    assert(text:find(part, 1, true), ("no %q in %q"):format(part, text))
  end

  local function normal()
    press("Escape")
    press("Escape")
    until_("normal mode", function()
      return vim.rpcrequest(channel, "nvim_get_mode").mode == "n"
    end)
    remote("vim.cmd('fclose!')")
  end
  --- Puts the cursor on the first place of `text` in the draft, which is opened first when another file is shown.
  local function go_to(text)
    normal()
    if remote("return vim.api.nvim_buf_get_name(0)") ~= draft then
      remote("vim.cmd.edit(...)", draft)
    end
    type_("gg")
    type_("/\\V" .. text:gsub("[\\/]", "\\%0"))
    press("Enter")
    until_("the cursor on " .. text, function()
      local line, column = unpack(remote("return vim.api.nvim_win_get_cursor(0)"))
      return remote("return vim.fn.getline(...)", line):sub(column + 1, column + #text) == text
    end)
  end
  local function command(text)
    type_(":" .. text)
    press("Enter")
  end
  --- The text of the window that lies over the others.
  local function float()
    return remote([[
      for _, win in ipairs(vim.api.nvim_list_wins()) do
        if vim.api.nvim_win_get_config(win).relative ~= "" then
          return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(win), 0, -1, false), "\n")
        end
      end
      return false]])
  end
  --- Shows what is known of the place at the cursor, and goes into that window.
  local function enter_hover()
    type_("K")
    until_("a window", float)
    type_("K")
    until_("the cursor in it", function()
      return remote("return vim.api.nvim_win_get_config(0).relative ~= ''")
    end)
  end
  local function diagnostics()
    return remote([[
      local found = {}
      for _, d in ipairs(vim.diagnostic.get(0)) do
        local text = vim.api.nvim_buf_get_text(0, d.lnum, d.col, d.end_lnum, d.end_col, {})
        found[tostring(d.code)] = { text = table.concat(text, " "), message = d.message, source = d.source }
      end
      return found]])
  end
  local only = os.getenv("LEXLS_ONLY") -- a Lua pattern: the checks to run beside the first
  local passed, failed = 0, 0
  local function leave()
    pcall(tmux, "kill-server")
    io.stdout:write(("%d passed, %d failed\n"):format(passed, failed))
    os.exit(failed == 0 and 0 or 1, true)
  end
  local function check(name, f)
    local wanted = not only or passed == 0 or name:find(only)
    if not wanted or options.checks and not vim.list_contains(options.checks, name) then
      return
    end
    local start = vim.uv.hrtime()
    local ok, problem = xpcall(f, debug.traceback)
    passed, failed = passed + (ok and 1 or 0), failed + (ok and 0 or 1)
    local seconds = (vim.uv.hrtime() - start) / 1e9
    io.stdout:write(("%s %s (%.1f s)%s\n"):format(ok and "ok  " or "FAIL", name, seconds, ok and "" or "\n" .. tostring(problem)))
    pcall(keep, name)
  end

  tmux("new-session", "-d", "-c", workspace, "-x", "110", "-y", "32", "env", "COLORTERM=truecolor", "NVIM_APPNAME=lexls-test", nvim, "--clean",
    "-n", "--listen", socket, "--cmd", "set rtp^=" .. plugin .. " termguicolors" .. (options.settings or ""),
    "+set linebreak breakindent completeopt=menuone | silent! set messagesopt=wait:1000,history:500")
  channel = until_("Neovim's socket", function()
    local heard, found = pcall(vim.fn.sockconnect, "pipe", socket, { rpc = true })
    return heard and found
  end)

  until_("the end of its start", function()
    return remote("return vim.v.vim_did_enter == 1")
  end)

  return {
    channel = channel,
    check = check,
    command = command,
    contains = contains,
    diagnostics = diagnostics,
    enter_hover = enter_hover,
    failures = function()
      return failed
    end,
    float = float,
    go_to = go_to,
    keep = keep,
    leave = leave,
    normal = normal,
    plugin = plugin,
    press = press,
    remote = remote,
    screen = screen,
    type = type_,
    until_ = until_,
  }
end
