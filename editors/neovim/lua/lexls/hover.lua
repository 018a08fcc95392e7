--- Hovers as words with links, in Neovim's own window for them. Neovim's display of Markdown would hide the brackets of
--- "[2014] ASC 12" and show the backslashes where they are escaped.
local lexls = require("lexls")
local page = require("lexls.page")

local M = {}

local METHOD = "textDocument/hover"
--- Longer lines are hard to read; a window that is narrower by itself stays so.
local WIDEST = 100

--- Whether a border shows anything: Neovim 0.10 gives blanks to a window without one.
local function is_bare(border)
  if type(border) ~= "table" then
    return border == nil or border == "none"
  end
  return vim.iter(border):all(function(part)
    return vim.trim(type(part) == "table" and part[1] or part) == ""
  end)
end

--- Gives the window the border of the user's choice, unless it has one, a width that can be read, and the height that its
--- lines need, as far as there is room.
local function shape(window)
  local config = vim.api.nvim_win_get_config(window)
  local border = lexls.border()
  if is_bare(config.border) and border and border ~= "none" then
    vim.api.nvim_win_set_config(window, { border = border })
  end
  local below = config.anchor and config.anchor:sub(1, 1) == "N"
  local row = vim.fn.screenrow()
  local room = (below and vim.o.lines - vim.o.cmdheight - row or row - 1) - 2
  vim.api.nvim_win_set_width(window, math.min(config.width, WIDEST))
  local needed = vim.api.nvim_win_text_height(window, {}).all
  vim.api.nvim_win_set_height(window, math.max(config.height, math.min(needed, room)))
end

--- Marks what was rendered in the window that shows it, if one does: another server may have an answer, too.
local function decorate(bufnr, lines, marks)
  local below, window = vim.api.nvim_get_current_win(), vim.b[bufnr].lsp_floating_preview
  if not window or not vim.api.nvim_win_is_valid(window) then
    return
  end
  local float = vim.api.nvim_win_get_buf(window)
  if table.concat(vim.api.nvim_buf_get_lines(float, 0, -1, false), "\n") ~= table.concat(lines, "\n") then
    return
  end
  page.lay_out(window)
  page.write(float, page.above(window, below), lines, marks)
  shape(window)
end

--- Has a client answer hovers with words, however they are asked for: by |K|, by the user's own key, with a border.
---@param client vim.lsp.Client
function M.take(client)
  local request = client.request
  --- Neovim 0.10 passes no client.
  client.request = function(...)
    local given, count = { ... }, select("#", ...)
    local at = given[1] == client and 2 or 1
    if given[at] == METHOD then
      local handler = given[at + 2] or client.handlers[METHOD] or vim.lsp.handlers[METHOD]
      given[at + 2] = function(err, result, context, config)
        local contents = type(result) == "table" and result.contents
        if type(contents) ~= "table" or contents.kind ~= "markdown" then
          return handler(err, result, context, config)
        end
        local lines, marks = page.render(contents.value)
        result.contents = { kind = "plaintext", value = table.concat(lines, "\n") }
        handler(err, result, context, config)
        decorate(context.bufnr, lines, marks)
      end
      count = math.max(count, at + 2)
    end
    return request(unpack(given, 1, count))
  end
end

return M
