-- usage: nvim --clean --headless -l drive.lua NVIM WORKSPACE OUT TMUX plugin|start      TMUX: a socket for tmux to make
-- Types into a real Neovim in tmux, asks it over RPC what came of it, and keeps what its screen showed.
--   plugin: the plugin starts the server by itself (vim.lsp.enable from 0.11 on, FileType in 0.10)
--   start:  the plugin is told not to, and vim.lsp.start is called as a user would
local nvim, workspace, out, terminal, how = unpack(arg)
local here = vim.fs.dirname(vim.fn.fnamemodify(debug.getinfo(1).source:sub(2), ":p"))
local sample = vim.json.decode(table.concat(vim.fn.readfile(here .. "/../sample.json"), "\n"))
local draft = workspace .. "/" .. sample.draft

-- What may differ where the user starts the server; all else is shown with the plugin.
local STARTED = {
  "the server attaches",
  "diagnostics appear",
  "hover shows the authority",
  "a completion is accepted",
  "a defined term is renamed, anything else is refused in words",
  "an explanation is shown",
  "the status is shown",
  "health names the server and its version",
  "restart brings a new server that answers",
  "the server leaves with Neovim",
}
local wanted = "'settings': {'codeLens': {'enabled': v:true}}"
local t = dofile(here .. "/terminal.lua")({
  nvim = nvim,
  workspace = workspace,
  draft = draft,
  out = out,
  socket = terminal,
  settings = (" number | let g:lexls = {%s%s}"):format(how == "start" and "'enable': v:false, " or "", wanted),
  checks = how == "start" and STARTED or nil,
})
local channel, check, command, contains, diagnostics, float = t.channel, t.check, t.command, t.contains, t.diagnostics, t.float
local go_to, keep, normal, press, remote, screen = t.go_to, t.keep, t.normal, t.press, t.remote, t.screen
local type_, until_ = t.type, t.until_
local version = remote("return tostring(vim.version())")
io.stdout:write(("Neovim %s, %s\n"):format(version, how))

-- As a user does for each buffer, where nothing attaches by itself.
local function started()
  if how == "start" then
    remote([[
      local config = require("lexls").config()
      config.root_dir = ...
      vim.lsp.start(config)]], workspace)
  end
end

check("the server attaches", function()
  command("edit " .. sample.draft)
  until_("the draft", function()
    return remote("return vim.api.nvim_buf_get_name(0)") == draft
  end)
  started()
  until_("a client", function()
    return remote("return #vim.lsp.get_clients({ name = 'lexls', bufnr = 0 }) == 1")
  end)
  local root = remote("return vim.lsp.get_clients({ name = 'lexls' })[1].root_dir or ''")
  assert(vim.uv.fs_realpath(root) == vim.uv.fs_realpath(workspace), "its folder is " .. root)
end)

if t.failures() > 0 then
  t.leave() -- nothing of what follows can come
end

check("diagnostics appear", function()
  for _, expected in ipairs(sample.diagnostics) do
    local found = until_(expected.code, function()
      return diagnostics()[expected.code]
    end, 60000)
    contains(found.message, expected.message)
    contains(expected.around, found.text)
    assert(found.source == "lexls", found.source)
  end
end)

check("hover shows the authority", function()
  go_to(sample.hover.at)
  type_("K")
  local text = until_("a window", float)
  for _, part in ipairs(sample.hover.shows) do
    contains(text, part)
  end
  assert(not text:find("\\", 1, true) and not text:find("**", 1, true) and not text:find("](", 1, true), "marks of Markdown:\n" .. text)
  until_("its border", function()
    return screen():find("╭", 1, true)
  end)
  local _, quoted = ("\n" .. text):gsub("\n  %S", "")
  local _, bars = screen():gsub("▎", "")
  assert(quoted > 0 and bars > quoted, "the quotation has no bar where it wraps:\n" .. screen())
end)

check("a link in a hover opens the authority at its place", function()
  go_to(sample.hover.at)
  t.enter_hover()
  press("Enter")
  until_("the authority", function()
    return vim.endswith(remote("return vim.api.nvim_buf_get_name(0)"), sample.definition.file)
  end)
  contains(remote("return vim.api.nvim_get_current_line()"), sample.definition.line)
end)

check("a completion is accepted", function()
  go_to(sample.completion.after)
  type_("A")
  if version:find("^0%.10") then -- it lists only what begins as was typed
    press("C-w")
    type_(sample.completion.typed)
  end
  press("C-x", "C-o")
  until_("the menu", function()
    return remote("return vim.fn.pumvisible() == 1")
  end)
  keep("completion menu")
  local words = remote("return vim.fn.complete_info({ 'items' }).items")
  local index = 0
  for position, item in ipairs(words) do
    if index == 0 and (item.word .. item.abbr):find(sample.completion.offers, 1, true) then
      index = position
    end
  end
  assert(index > 0, "not offered: " .. vim.inspect(words))
  for _ = 2, index do
    press("C-n")
  end
  press("C-y")
  until_("the citation in the draft", function()
    return remote("return vim.api.nvim_get_current_line()"):find(sample.completion.inserts, 1, true)
  end)
  normal()
end)

check("find-support inserts a citation", function()
  go_to(sample.support.at)
  local before = remote("return vim.api.nvim_get_current_line()")
  command("Lexls support")
  until_("the list", function()
    return screen():find("Supporting authority:", 1, true)
  end)
  keep("find-support list")
  contains(screen(), "1: " .. sample.support.offers)
  type_("1")
  press("Enter")
  local after = until_("the citation in the draft", function()
    local line = remote("return vim.api.nvim_get_current_line()")
    return line ~= before and line
  end)
  contains(after, sample.support.inserts)
end)

check("Telescope shows the passage beside the list", function()
  local share = vim.fs.normalize(vim.fs.dirname(vim.fs.dirname(vim.uv.fs_realpath(nvim))) .. "/share")
  if not vim.uv.fs_stat(share .. "/neovim-telescope") then
    return
  end
  command("undo")
  remote("vim.opt.runtimepath:append(...)", share .. "/neovim-telescope")
  remote("vim.opt.runtimepath:append(...)", share .. "/neovim-plenary")
  go_to(sample.support.at)
  local before = remote("return vim.api.nvim_get_current_line()")
  command("Lexls support")
  until_("the first authority and its passage", function()
    local shown = screen()
    return shown:find("> " .. sample.support.offers, 1, true) and shown:find("Passage", 1, true)
  end)
  local said = remote([[
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      local text = table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), " ")
      if text:find(..., 1, true) and vim.api.nvim_win_get_config(window).relative ~= "" then
        return text
      end
    end]], sample.support.passage)
  assert(said, "the passage is not shown:\n" .. screen())
  keep("find-support in Telescope")
  press("Enter")
  until_("the citation in the draft", function()
    local line = remote("return vim.api.nvim_get_current_line()")
    return line ~= before and line:find(sample.support.inserts, 1, true)
  end)
  normal()
  remote("vim.g.lexls = vim.tbl_extend('force', vim.g.lexls, { picker = 'select' })")
end)

check("a code action finds support too", function()
  command("undo")
  go_to(sample.support.at)
  remote([[
    local title = ...
    vim.lsp.buf.code_action({ apply = true, filter = function(action)
      return action.title:find(title, 1, true)
    end })]], sample.support.action)
  until_("the list", function()
    return screen():find("Supporting authority:", 1, true)
  end)
  type_("1")
  press("Enter")
  until_("the citation in the draft", function()
    return remote("return vim.api.nvim_get_current_line()"):find(sample.support.inserts, 1, true)
  end)
  command("undo")
end)

check("what only comes nearest is said to be far", function()
  local before = remote("return vim.api.nvim_buf_line_count(0)")
  remote("vim.api.nvim_buf_set_lines(0, -1, -1, false, { '', ... })", sample.support.far)
  local function shows(list, picker)
    remote("vim.g.lexls = vim.tbl_extend('force', vim.g.lexls, { picker = ... })", picker)
    go_to(sample.support.far)
    command("Lexls support")
    until_("the list", function()
      local shown = screen():gsub("%s+", " ")
      return shown:find(list, 1, true) and shown:find(sample.support.says, 1, true)
    end)
    press("Escape")
    normal()
  end
  shows("Supporting authority:", "select")
  if remote("return (pcall(require, 'telescope'))") then
    shows("Passage", "telescope")
    remote("vim.g.lexls = vim.tbl_extend('force', vim.g.lexls, { picker = 'select' })")
  end
  command("undo")
  assert(remote("return vim.api.nvim_buf_line_count(0)") == before)
end)

check("go to definition opens the paragraph", function()
  go_to(sample.definition.at)
  press("C-]")
  until_("the authority", function()
    return vim.endswith(remote("return vim.api.nvim_buf_get_name(0)"), sample.definition.file)
  end)
  contains(remote("return vim.api.nvim_get_current_line()"), sample.definition.line)
end)

check("a PDF opens at its page in the user's viewer", function()
  local told = vim.fn.tempname()
  local viewer = { "sh", "-c", 'printf "%s\\n" "$@" >"$0"', told, "{page}", "{file}" }
  remote("vim.g.lexls = vim.tbl_extend('force', vim.g.lexls, { viewer = ... })", viewer)
  local function viewed()
    local said = until_("the viewer", function()
      return vim.uv.fs_stat(told) and #vim.fn.readfile(told) == 2 and vim.fn.readfile(told)
    end)
    os.remove(told)
    assert(said[1] == sample.page.number, "page " .. said[1])
    assert(vim.endswith(said[2], sample.page.file), said[2])
  end
  go_to(sample.page.at)
  command("Lexls page")
  viewed()
  t.enter_hover()
  type_("gx")
  viewed()
  normal()
end)

check("the review of the brief opens in the browser, beside an opponent's", function()
  os.remove(out .. "/review.html")
  local bin = vim.fn.tempname()
  vim.fn.mkdir(bin)
  vim.fn.writefile({ "#!/bin/sh", 'cp "$1" "$0.part" && mv "$0.part" ' .. vim.fn.shellescape(out .. "/review.html") }, bin .. "/xdg-open")
  vim.uv.fs_chmod(bin .. "/xdg-open", 448) -- u=rwx
  vim.fn.writefile({ vim.trim(sample.review.text) }, workspace .. "/" .. sample.review.against)
  remote("vim.env.PATH = ... .. ':' .. vim.env.PATH", bin)
  command("Lexls review " .. sample.review.against:gsub(" ", "\\ "))
  until_("the page", function()
    return vim.uv.fs_stat(out .. "/review.html")
  end, 60000)
  local shown = table.concat(vim.fn.readfile(out .. "/review.html"), " "):gsub("<[^>]*>", ""):gsub("&#x27;", "'")
  for _, part in ipairs(sample.review.shows) do
    contains(shown, part)
  end
  os.remove(workspace .. "/" .. sample.review.against)
end)

check("all mentions of an authority light up", function()
  go_to(sample.mentions.at)
  remote("vim.lsp.buf.document_highlight()")
  until_("the highlights", function()
    return remote([[
      local count = 0
      for _, namespace in pairs(vim.api.nvim_get_namespaces()) do
        for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, namespace, 0, -1, { details = true })) do
          if (mark[4].hl_group or ""):find("^LspReference") then
            count = count + 1
          end
        end
      end
      return count]]) >= sample.mentions.count -- the completion before has added one
  end)
  keep("mentions")
  remote("vim.lsp.buf.clear_references()")
end)

check("who cites an authority is a call hierarchy", function()
  go_to(sample.callers.at)
  remote("vim.lsp.buf.incoming_calls()")
  until_("the list of those who cite it", function()
    return vim.inspect(remote("return vim.fn.getqflist()")):find(sample.callers.from, 1, true)
  end)
  keep("incoming calls")
  remote("vim.cmd.cclose()")
end)

check("a hint says which Act a section is of", function()
  go_to(sample.hints.behind)
  remote("vim.lsp.inlay_hint.enable(true)")
  until_("the hint", function()
    return screen():gsub("%s", ""):find((sample.hints.label:gsub("%s", "")), 1, true) -- hints break inside of words
  end)
  keep("inlay hints")
  remote("vim.lsp.inlay_hint.enable(false)")
end)

check("names, citations and pinpoints are coloured", function()
  for _, token in ipairs(sample.tokens) do
    go_to(token.at)
    until_("a token at " .. token.at, function()
      return remote([[
        for _, found in ipairs(vim.lsp.semantic_tokens.get_at_pos() or {}) do
          if found.type == ... then
            return true
          end
        end]], token.type)
    end)
    local link = remote("return vim.api.nvim_get_hl(0, { name = '@lsp.type.' .. ... }).link", token.type)
    assert(link, "no colour for " .. token.type)
    local plain = remote("return vim.api.nvim_get_hl(0, { name = 'Normal' }).fg")
    local colour = remote("return vim.api.nvim_get_hl(0, { name = ..., link = false }).fg", link)
    assert(colour and colour ~= plain, token.type .. " looks like text")
  end
end)

check("sections fold", function()
  if remote("return vim.lsp.foldexpr == nil") then -- from 0.11 on
    return
  end
  go_to(sample.folds.from)
  local from = remote("return vim.fn.line('.')")
  remote("vim.wo.foldlevel, vim.wo.foldmethod, vim.wo.foldexpr = 99, 'expr', 'v:lua.vim.lsp.foldexpr()'")
  until_("folds", function()
    return remote("return vim.fn.foldlevel(...) > 0", from)
  end)
  type_("zc")
  local last = until_("a closed fold", function()
    local line = remote("return vim.fn.foldclosedend('.')")
    return line > 0 and line
  end)
  contains(remote("return vim.fn.getline(...)", last), sample.folds.to)
  keep("a folded section")
  type_("zR")
  remote("vim.wo.foldmethod = 'manual'")
end)

check("lenses are shown and open the list", function()
  go_to(sample.lens.above)
  if remote("return vim.lsp.codelens.enable ~= nil") then -- from 0.12 on
    remote("vim.lsp.codelens.enable(true)")
  else
    remote("vim.lsp.codelens.refresh()")
  end
  until_("the lens", function()
    return remote([[
      for _, found in ipairs(vim.lsp.codelens.get(0)) do
        local lens = found.lens or found
        if lens.command and lens.command.title == ... then
          return true
        end
      end]], sample.lens.says)
  end)
  keep("code lenses")
  remote("vim.schedule(vim.lsp.codelens.run)")
  until_("the list", function()
    -- 0.10 has nothing to run between a refresh that the library's news made it do and the answers.
    if screen():find("No executable codelens", 1, true) then
      command("echo ''")
      remote("vim.schedule(vim.lsp.codelens.run)")
    end
    return screen():find("Supporting authority:", 1, true)
  end)
  press("Escape")
  if remote("return vim.lsp.codelens.enable ~= nil") then
    remote("vim.lsp.codelens.enable(false)")
  else
    remote("vim.lsp.codelens.clear()")
  end
end)

check("a defined term is renamed, anything else is refused in words", function()
  normal()
  local path = workspace .. "/" .. sample.note.draft
  vim.fn.writefile(vim.split(sample.note.text:gsub("\n$", ""), "\n"), path)
  remote("vim.cmd.edit(...)", path)
  started()
  until_("a client", function()
    return remote("return #vim.lsp.get_clients({ name = 'lexls', bufnr = 0 }) == 1")
  end)
  local function there(text)
    type_("gg0/\\V" .. text)
    press("Enter")
    until_("the cursor on " .. text, function()
      local _, column = unpack(remote("return vim.api.nvim_win_get_cursor(0)"))
      return remote("return vim.api.nvim_get_current_line()"):sub(column + 1, column + #text) == text
    end)
  end
  local function whole()
    return table.concat(remote("return vim.api.nvim_buf_get_lines(0, 0, -1, false)"), "\n") .. "\n"
  end
  there(sample.note.at)
  remote("vim.lsp.buf.rename(...)", sample.note.name)
  until_("the new name", function()
    return whole() == sample.note.becomes
  end)
  there(sample.note.refuses.at)
  remote("vim.lsp.buf.rename('Statute')")
  -- The message may begin to wait for a key at any moment, and a request would hang with it: so Neovim writes its
  -- messages to a file, and is not waited for. The screen breaks the message over lines.
  local because = sample.note.refuses.because:gsub("%s", "")
  local told = os.tmpname()
  until_("the refusal", function()
    local write = "vim.fn.writefile(vim.split(vim.fn.execute('messages'), '\\n'), ...)"
    vim.rpcnotify(channel, "nvim_exec_lua", write, { told })
    local said = screen() .. table.concat(vim.fn.readfile(told))
    return said:gsub("%s", ""):find(because, 1, true)
  end)
  os.remove(told)
  keep("a refused rename")
  press("Enter") -- a long message waits for a key
  assert(whole() == sample.note.becomes)
  command("bwipeout!")
end)

check("diagnostics are those that the editor asks for", function()
  if version:find("^0%.1[01]") then
    return
  end
  go_to(sample.mentions.at)
  local seen = remote([[
    local client = vim.lsp.get_clients({ name = "lexls" })[1]
    local pulled, pushed = 0, 0
    for _, namespace in pairs(vim.api.nvim_get_namespaces()) do
      local count = #vim.diagnostic.get(0, { namespace = namespace })
      local name = vim.diagnostic.get_namespace(namespace).name or ""
      if name:find("lexls") then
        pulled, pushed = pulled + (name:find("%.%d+%.") and count or 0), pushed + (name:find("%.%d+%.") and 0 or count)
      end
    end
    return { pulled = pulled, pushed = pushed, asks = client:supports_method("textDocument/diagnostic") }]])
  assert(seen.asks and seen.pulled + seen.pushed > 0, vim.inspect(seen))
  assert(seen.pulled == 0 or seen.pushed == 0, "everything stands there twice: " .. vim.inspect(seen))
end)

check("an explanation is shown", function()
  go_to(sample.explain.at)
  command("Lexls explain")
  local text = until_("a window", float)
  for _, part in ipairs(sample.explain.shows) do
    contains(text, part)
  end
end)

--- Everything that the buffer with the answers says, once it says `text` and no answer grows, or `while_growing`.
local function answered(text, while_growing)
  return until_(text .. " in the answer", function()
    return remote([[
      if vim.startswith(vim.api.nvim_buf_get_name(0), "lexls://answers/") and not vim.bo.modifiable then
        local words = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
        local text, while_growing = ...
        local ready = while_growing or not next(require("lexls.request").running)
        return ready and words:find(text, 1, true) and words or false
      end
      return false]], text, while_growing or false)
  end)
end
--- Chooses from a list that `vim.ui.select` shows.
local function choose(prompt, number)
  until_(prompt, function()
    return screen():find(prompt, 1, true)
  end)
  keep("list " .. prompt)
  type_(tostring(number))
  press("Enter")
end

check("a question is answered in a buffer of its own", function()
  go_to(sample.hover.at)
  command("nohlsearch")
  command("Lexls ask " .. sample.ask.question)
  local text = answered(sample.ask.shows)
  contains(text, sample.ask.question)
  contains(text, sample.ask.link)
  assert(not text:find("file:", 1, true), text)
end)

check("a link of the answer opens its source at the line", function()
  command("call search('\\V" .. sample.ask.link .. "')")
  press("Enter")
  until_("the source", function()
    return vim.endswith(remote("return vim.api.nvim_buf_get_name(0)"), sample.ask.file)
  end)
  contains(remote("return vim.api.nvim_get_current_line()"), sample.ask.line)
end)

check("a thread is continued in its buffer", function()
  command("wincmd p")
  answered(sample.ask.shows)
  command("Lexls ask " .. sample.ask.further.question)
  local text = answered(sample.ask.further.shows)
  contains(text, sample.ask.shows)
  contains(text, sample.ask.further.question)
  assert(remote("return vim.api.nvim_get_current_line()") == sample.ask.further.question, "the cursor is elsewhere")
end)

check("a thread is branched", function()
  command("Lexls threads")
  choose("Threads:", 1)
  choose("1: Open", 3)
  choose("After which question?", 1)
  until_("the question for a question", function()
    return screen():find("Ask further:", 1, true)
  end)
  type_(sample.ask.branch.question)
  press("Enter")
  local text = answered(sample.ask.branch.shows)
  contains(text, sample.ask.shows)
  assert(not text:find(sample.ask.further.question, 1, true), "the other branch is there, too:\n" .. text)
end)

check("where the library does not answer, that is said", function()
  command("wincmd p")
  command("only") -- the source, to which not every server is attached
  command("Lexls ask " .. sample.ask.unanswered.question)
  answered(sample.ask.unanswered.shows)
  command("close")
end)

check("a thread is deleted", function()
  command("Lexls threads")
  choose("Threads:", 2) -- the one before the last
  contains(screen(), sample.ask.question)
  choose("1: Open", 4)
  choose("1: Delete it", 1)
  until_("the news", function()
    return screen():find("the thread was deleted", 1, true)
  end)
  command("Lexls threads")
  until_("the list", function()
    return screen():find("Threads:", 1, true)
  end)
  contains(screen(), sample.ask.unanswered.question)
  assert(not screen():find(sample.ask.question, 1, true), screen())
  press("Escape")
end)

check("contrary authority is shown", function()
  normal()
  local path = workspace .. "/" .. sample.contrary.draft
  vim.fn.writefile(vim.split(vim.trim(sample.contrary.text), "\n"), path)
  remote("vim.cmd.edit(...)", path)
  started()
  until_("a client", function()
    return remote("return #vim.lsp.get_clients({ name = 'lexls', bufnr = 0 }) == 1")
  end)
  command("Lexls contrary")
  answered(sample.contrary.shows)
  type_("q")
  until_("the draft again", function()
    return remote("return vim.api.nvim_buf_get_name(0)") == path
  end)
  command("bwipeout!")
end)

check("a supported sentence is drafted", function()
  go_to(sample.drafted.at)
  command("Lexls draft")
  until_("it in the draft", function()
    return remote("return vim.api.nvim_get_current_line()"):find(sample.drafted.inserts, 1, true)
  end)
  keep("a drafted sentence")
  command("undo")
  until_("the draft as it was", function()
    return not remote("return vim.api.nvim_get_current_line()"):find(sample.drafted.inserts, 1, true)
  end)
end)

check("an answer grows, and is cancelled", function()
  go_to(sample.hover.at)
  local said = {}
  local model = vim.system({ os.getenv("LEXLS_PYTHON"), here .. "/../slow_model.py", sample.ask.shows }, {
    text = true,
    stdout = function(_, data)
      vim.list_extend(said, vim.split(data or "", "\n", { trimempty = true }))
    end,
  })
  until_("the port of the model", function()
    return said[1]
  end)
  local configure = [[
    local client = vim.lsp.get_clients({ name = "lexls" })[1]
    client.settings = { lexls = ... }
    local arguments = { "workspace/didChangeConfiguration", { settings = client.settings } }
    if vim.fn.has("nvim-0.11") == 1 then
      client:notify(unpack(arguments))
    else
      client.notify(unpack(arguments))
    end]]
  local address = ("http://127.0.0.1:%s/v1"):format(said[1])
  remote(configure, { explain = { generator = "openai" }, openai = { baseUrl = address, model = "slow" } })
  until_("the question at the model", function() -- settings arrive when they do
    command("Lexls ask " .. sample.ask.question)
    vim.wait(2000, function()
      return said[2] == "asked"
    end)
    return said[2] == "asked"
  end)
  answered(sample.ask.shows, true)
  keep("an answer that grows")
  type_("q")
  answered("You stopped this answer")
  until_("the end of the request", function()
    return said[3] == "hung up"
  end)
  model:kill("sigterm")
  remote(configure, vim.empty_dict())
  command("close")
end)

check("the status is shown", function()
  normal()
  command("Lexls")
  local text = until_("a window", float)
  contains(text, "libraries:")
  contains(text, workspace .. "/library")
  keep("status window")
  normal()
  until_("the verdicts on the draft's citations", function()
    return remote("return require('lexls').status(vim.fn.bufnr(...))", draft):find("^lexls: %d+ citations?: %d+ ")
  end)
end)

check("indexing is paused and goes on", function()
  normal()
  command("Lexls pause")
  until_("the pause in the status", function()
    return remote("return require('lexls').status()") == "lexls: paused"
  end)
  command("Lexls resume")
  until_("its end", function()
    return not remote("return require('lexls').status()"):find("paused", 1, true)
  end)
end)

check("findings in drafts that are not open are listed", function()
  normal()
  vim.fn.writefile({ "Settled: “é” *Nobody v Known* [1999] ASC 999 at [1]." }, workspace .. "/drafts/closed.md")
  command("Lexls problems")
  local listed = until_("the list", function()
    return remote([[
      local list = vim.fn.getqflist({ title = 0, items = 0 })
      return list.title == "lexls: findings in drafts" and vim.tbl_map(function(item)
        return { vim.fn.fnamemodify(vim.fn.bufname(item.bufnr), ":t"), item.text, item.lnum, item.col }
      end, list.items)]])
  end)
  local names = {}
  for _, item in ipairs(listed) do
    names[item[1]] = item
  end
  contains(assert(names["closed.md"], vim.inspect(names))[2], "library")
  assert(names["closed.md"][3] == 1 and names["closed.md"][4] > 1, vim.inspect(names["closed.md"]))
  assert(names[vim.fs.basename(draft)], "the open draft is missing")
  keep("findings in all drafts")
  command("cclose")
  vim.fn.delete(workspace .. "/drafts/closed.md")
end)

check("a renamed file has its new name in drafts", function()
  vim.fn.writefile({ "See [the facts](facts.md) and [them](facts.md)." }, workspace .. "/drafts/linking.md")
  vim.fn.writefile({ "The facts." }, workspace .. "/drafts/facts.md")
  command("edit drafts/facts.md")
  started()
  until_("a client", function()
    return remote("return #vim.lsp.get_clients({ name = 'lexls', bufnr = 0 }) == 1")
  end)
  command("Lexls rename drafts/history.md")
  until_("its new name", function()
    return vim.uv.fs_stat(workspace .. "/drafts/history.md") and not vim.uv.fs_stat(workspace .. "/drafts/facts.md")
  end)
  local lines = remote("return vim.api.nvim_buf_get_lines(vim.fn.bufnr('drafts/linking.md'), 0, -1, false)")
  assert(vim.deep_equal(lines, { "See [the facts](history.md) and [them](history.md)." }), vim.inspect(lines))
  command("bwipeout! drafts/linking.md")
  command("bwipeout!")
  vim.fn.delete(workspace .. "/drafts/linking.md")
  vim.fn.delete(workspace .. "/drafts/history.md")
end)

check("subcommands complete, unknown ones are refused", function()
  local names = remote("return vim.fn.getcompletion('Lexls ', 'cmdline')")
  local expected = { "ask", "cancel", "contrary", "convert", "draft", "explain", "log", "page", "pause", "problems" }
  vim.list_extend(expected, { "reindex", "rename", "restart", "resume", "review", "status", "support", "table", "threads" })
  assert(vim.deep_equal(names, expected), vim.inspect(names))
  assert(vim.deep_equal(remote("return vim.fn.getcompletion('Lexls re', 'cmdline')"), { "reindex", "rename", "restart", "resume", "review" }))
  local ok, problem = pcall(remote, "vim.cmd.Lexls('nonsense')")
  assert(not ok)
  contains(problem, "no :Lexls nonsense")
end)

check("health names the server and its version", function()
  normal()
  command("checkhealth lexls")
  local text = until_("the report", function()
    local lines = table.concat(remote("return vim.api.nvim_buf_get_lines(0, 0, -1, false)"), "\n")
    return lines:find("running servers", 1, true) and lines:find("buffer", 1, true) and lines
  end)
  assert(text:find("lexls %d+%.%d+[^\n]*: "), text)
  assert(not text:find("ERROR", 1, true), text)
end)

check("help is found", function()
  local made = vim.fn.tempname()
  vim.fn.mkdir(made)
  assert(vim.uv.fs_copyfile(t.plugin .. "/doc/lexls.txt", made .. "/lexls.txt"))
  remote("vim.cmd.helptags(...)", made)
  local tags = vim.fn.readfile(made .. "/tags")
  assert(vim.deep_equal(tags, vim.fn.readfile(t.plugin .. "/doc/tags")), "run :helptags editors/neovim/doc")
  command("help lexls-settings")
  until_("the manual", function()
    return remote("return vim.bo.buftype == 'help' and vim.fn.expand('%:t') == 'lexls.txt'")
  end)
  command("only | bdelete")
end)

check("restart brings a new server that answers", function()
  go_to(sample.hover.at)
  local old = remote("return vim.lsp.get_clients({ name = 'lexls' })[1].id")
  command("Lexls restart")
  until_("another client", function()
    return remote("local c = vim.lsp.get_clients({ name = 'lexls', bufnr = 0 })[1]; return c and c.id ~= ...", old)
  end)
  until_("its diagnostics", function()
    return next(diagnostics())
  end, 60000)
end)

check("the server leaves with Neovim", function()
  normal()
  local id = remote([[
    local client = vim.lsp.get_clients({ name = 'lexls' })[1]
    return vim.fn.systemlist({ "pgrep", "-P", tostring(vim.fn.getpid()), "-f", "lexls" })[1] ]])
  command("qall!")
  until_("the end of process " .. tostring(id), function()
    return id == nil or not vim.uv.fs_stat("/proc/" .. id)
  end)
end)

t.leave()
