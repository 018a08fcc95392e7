--- Markdown as the server writes it, shown in a buffer as words with links that open sources at their lines.
--- Neovim's own display of Markdown would hide the brackets of citations.
local M = {}

--- What stands beside a quotation, also where its lines wrap: they are indented by so much, and it is drawn there.
local BAR = "▎"
local INDENT = "  "

local namespace = vim.api.nvim_create_namespace("lexls.page")

--- The link that begins at `[`: its words, its address, and where it ends; nothing if none begins there.
local function link_at(text, at)
  local close = at
  repeat
    close = text:find("[%]\\]", close + 1)
    if not close then
      return
    end
    local escape = text:sub(close, close) == "\\"
    close = escape and close + 1 or close
  until not escape
  local address, after = text:match("^%(<([^<>\n]*)>%)()", close + 1)
  if address then
    return text:sub(at + 1, close - 1), address, after
  end
end

--- Whether an underscore stands at the edge of a word, where it is emphasis.
local function at_edge(text, at)
  return at == 1 or at == #text or not (text:sub(at - 1, at - 1) .. text:sub(at + 1, at + 1)):find("^[%w\128-\255][%w\128-\255]$")
end

--- One line of Markdown as { words, marks }; a mark is { first, last, group, address }.
local function inline(text)
  local parts, length, marks, open = {}, 0, {}, {}
  local function add(words)
    table.insert(parts, words)
    length = length + #words
  end
  local function toggle(group)
    if open[group] then
      table.insert(marks, { open[group], length, group })
    end
    open[group] = not open[group] and length or nil
  end
  local at = 1
  while at <= #text do
    local plain = text:match("^[^\\%*_%[]+", at)
    local char = text:sub(at, at)
    if plain then
      add(plain)
      at = at + #plain
    elseif char == "\\" then
      add(text:match("^%p", at + 1) or (at < #text and "\\" or "")) -- the last one breaks the line
      at = at + (text:find("^%p", at + 1) and 2 or 1)
    elseif text:sub(at, at + 1) == "**" then
      toggle("@markup.strong")
      at = at + 2
    elseif char == "_" and at_edge(text, at) then
      toggle("@markup.italic")
      at = at + 1
    else
      local words, address, after
      if char == "[" then
        words, address, after = link_at(text, at)
      end
      if words then
        local first = length
        add((words:gsub("\\(%p)", "%1")))
        table.insert(marks, { first, length, "@markup.link", address })
        at = after
      else
        add(char)
        at = at + 1
      end
    end
  end
  return table.concat(parts), marks
end

--- The lines of Markdown without its signs, and what is marked in each: { row, first, last, group, address }, where `group`
--- is `BAR` for a line of a quotation.
---@param markdown string
---@return string[], table[]
function M.render(markdown)
  local lines, marks, fence = {}, {}, nil
  for _, source in ipairs(vim.split(vim.trim(markdown), "\n")) do
    local ticks = source:match("^```+")
    if ticks and (not fence or source == fence) then
      fence = not fence and ticks or nil
    elseif fence then
      table.insert(lines, source)
    else
      local sign, rest = source:match("^(#+ )(.*)$")
      local quoted = source:match("^>%s?(.*)$")
      local words, found = inline(rest or quoted or source)
      local quote = quoted and INDENT or ""
      table.insert(lines, quote .. words)
      local row, indent = #lines - 1, #quote
      if sign then
        table.insert(marks, { row, 0, #words, "Title" })
      elseif quoted then
        table.insert(marks, { row, 0, indent + #words, BAR })
      end
      for _, mark in ipairs(found) do
        table.insert(marks, { row, indent + mark[1], indent + mark[2], mark[3], mark[4] })
      end
    end
  end
  return lines, marks
end

--- Marks what `render` found in a buffer that holds its lines, and keeps the links in its variable `lexls_links`:
--- { row, first, last, address }, rows and columns counted from 0, `last` exclusive.
local function mark(bufnr, marks)
  local links = {}
  vim.api.nvim_buf_clear_namespace(bufnr, namespace, 0, -1)
  for order, each in ipairs(marks) do
    local row, first, last, group, address = unpack(each)
    -- In the order in which they were found: a link in a quotation is coloured as a link.
    local options = { end_col = last, hl_group = group, priority = 100 + math.min(order, 90) }
    if group == BAR then
      options.hl_group = "String"
      options.virt_text, options.virt_text_win_col = { { BAR, "String" } }, 0
      options.virt_text_repeat_linebreak = true
    end
    vim.api.nvim_buf_set_extmark(bufnr, namespace, row, first, options)
    if address then
      table.insert(links, { row, first, last, address })
    end
  end
  vim.b[bufnr].lexls_links = links
end

--- Opens what a link names, a file at the line after "#L", in the window that `window` gives.
local function open(address, window)
  local file, line = address:match("^(file:[^#]*)#L(%d+)")
  local path = vim.uri_to_fname(file or (address:gsub("#.*$", "")))
  local target = vim.fn.bufadd(path)
  vim.bo[target].buflisted = true
  vim.api.nvim_set_current_win(window())
  vim.cmd("normal! m'")
  vim.api.nvim_win_set_buf(0, target)
  vim.api.nvim_win_set_cursor(0, { math.min(tonumber(line) or 1, vim.api.nvim_buf_line_count(target)), 0 })
  vim.cmd("normal! zvzz")
end

--- The window for a source: the one that was left for this one, else another one with a file, else a new one.
local function beside()
  local here = vim.api.nvim_get_current_win()
  local left = vim.fn.win_getid(vim.fn.winnr("#"))
  for _, window in ipairs(vim.list_extend({ left }, vim.api.nvim_tabpage_list_wins(0))) do
    local floats = window ~= 0 and vim.api.nvim_win_get_config(window).relative ~= ""
    if window ~= 0 and window ~= here and not floats and vim.bo[vim.api.nvim_win_get_buf(window)].buftype == "" then
      return window
    end
  end
  vim.cmd("aboveleft split")
  return vim.api.nvim_get_current_win()
end

--- The link at the cursor, else the next one from its line on.
local function link_here()
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  local best
  for _, link in ipairs(vim.b.lexls_links or {}) do
    local under = link[1] == row - 1 and link[2] <= column and column < link[3]
    if under or (link[1] >= row - 1 and not best) then
      best = link
    end
    if under then
      break
    end
  end
  if not best then
    vim.notify("lexls: there is no link to a source here", vim.log.levels.INFO)
  end
  return best and best[4]
end

--- Opens the source behind the link at the cursor, else behind the next one from its line on.
---@param window? fun(): integer the window for it
function M.follow(window)
  local address = link_here()
  if address then
    open(address, window or beside)
  end
end

--- As `follow`, but a PDF in the user's viewer, at its page.
---@param window? fun(): integer
function M.view(window)
  local address = link_here()
  local client = address and vim.lsp.get_clients({ name = "lexls" })[1]
  local file, line = (address or ""):match("^(file:[^#]*)#L(%d+)")
  if client and file then
    local start = { line = tonumber(line) - 1, character = 0 }
    require("lexls.viewer").open(client, { uri = file, range = { start = start, ["end"] = start } }, function()
      open(address, window or beside)
    end)
  elseif address then
    open(address, window or beside)
  end
end

--- Has a window show pages: lines wrap between words, and a quotation's stay beside its bar.
---@param window integer
function M.lay_out(window)
  for option, value in pairs({ wrap = true, linebreak = true, breakindent = true, breakindentopt = "", showbreak = "NONE" }) do
    vim.api.nvim_set_option_value(option, value, { win = window, scope = "local" })
  end
end

--- Has a buffer show what `render` gives in place of what it said; keys follow its links.
---@param bufnr integer
---@param window fun(): integer|nil the window for sources; nil where any will do
---@param lines string[]
---@param marks table[]
function M.write(bufnr, window, lines, marks)
  -- What stays the same is left alone, so that nobody who reads is moved.
  local old = vim.api.nvim_buf_get_lines(bufnr, 0, -1, false)
  local same = 0
  while same < #old and same < #lines and old[same + 1] == lines[same + 1] do
    same = same + 1
  end
  vim.bo[bufnr].modifiable = true
  vim.api.nvim_buf_set_lines(bufnr, same, -1, false, vim.list_slice(lines, same + 1))
  vim.bo[bufnr].modifiable = false
  vim.bo[bufnr].modified = false
  mark(bufnr, marks)
  for key, does in pairs({ ["<CR>"] = M.follow, gf = M.follow, gx = M.view }) do
    vim.keymap.set("n", key, function()
      does(window)
    end, { buffer = bufnr, nowait = true, desc = "lexls: open the source" })
  end
end

--- The window for the sources of a window that lies over others and closes for them: the one below.
---@param window integer
---@param below integer
---@return fun(): integer
function M.above(window, below)
  return function()
    if vim.api.nvim_win_is_valid(window) then
      vim.api.nvim_win_close(window, true)
    end
    return vim.api.nvim_win_is_valid(below) and below or beside()
  end
end

--- A window over what `render` gives; calling again for the same `id` enters it, q closes it.
---@param id string
---@param lines string[]
---@param marks table[]
---@return fun(lines: string[], marks: table[]): boolean grow has the window show more; false when it is closed
function M.float(id, lines, marks)
  local below = vim.api.nvim_get_current_win()
  local width, most = math.min(100, vim.o.columns - 8), math.max(5, math.floor(vim.o.lines * 0.6))
  local options = { border = require("lexls").border(), focus_id = id, max_width = width, max_height = most }
  local bufnr, window = vim.lsp.util.open_floating_preview(lines, "", options)
  M.lay_out(window)
  local source = M.above(window, below)
  M.write(bufnr, source, lines, marks)
  return function(more, with)
    if not vim.api.nvim_win_is_valid(window) or vim.api.nvim_win_get_buf(window) ~= bufnr then
      return false
    end
    M.write(bufnr, source, more, with)
    local longest = 1
    for _, line in ipairs(more) do
      longest = math.max(longest, vim.fn.strdisplaywidth(line))
    end
    vim.api.nvim_win_set_width(window, math.min(width, longest))
    vim.api.nvim_win_set_height(window, math.min(most, vim.api.nvim_win_text_height(window, {}).all))
    return true
  end
end

return M
