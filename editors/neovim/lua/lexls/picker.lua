--- Lists to choose from, with a preview beside them: in Telescope, fzf-lua or snacks where one is installed, else by
--- |vim.ui.select|.
local M = {}

---@class lexls.List
---@field prompt string
---@field warning string stands before the prompt where there may be no preview, "" for nothing
---@field kind string
---@field line fun(item: any): string
---@field preview fun(item: any): string[]

--- Fills a buffer with the preview of an item.
local function fill(bufnr, list, item)
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, list.preview(item))
end

--- Has the window of a preview break lines between words.
local function wrap(window)
  if window and vim.api.nvim_win_is_valid(window) then
    vim.wo[window].wrap, vim.wo[window].linebreak = true, true
  end
end

local function telescope(items, list, chosen)
  local actions, state = require("telescope.actions"), require("telescope.actions.state")
  local values = require("telescope.config").values
  local function entry(item)
    local line = list.line(item)
    return { value = item, display = line, ordinal = line }
  end
  local previewer = require("telescope.previewers").new_buffer_previewer({
    title = "Passage",
    define_preview = function(self, selected)
      fill(self.state.bufnr, list, selected.value)
      wrap(self.state.winid)
    end,
  })
  -- Beside the list there is no room for a passage in a narrow window.
  local narrow = { layout_strategy = "vertical", layout_config = { preview_cutoff = 1 } }
  require("telescope.pickers")
    .new(vim.o.columns < 140 and narrow or {}, {
      prompt_title = list.prompt:gsub(":$", ""),
      finder = require("telescope.finders").new_table({ results = items, entry_maker = entry }),
      sorter = values.generic_sorter({}),
      previewer = previewer,
      attach_mappings = function(bufnr)
        actions.select_default:replace(function()
          local selected = state.get_selected_entry()
          actions.close(bufnr)
          chosen(selected and selected.value)
        end)
        return true
      end,
    })
    :find()
end

local function fzf_lua(items, list, chosen)
  local lines = {}
  for number, item in ipairs(items) do
    lines[number] = ("%d. %s"):format(number, list.line(item))
  end
  local function at(line)
    return items[tonumber(line and line:match("^(%d+)%."))]
  end
  local Previewer = require("fzf-lua.previewer.builtin").base:extend()
  function Previewer:new(...)
    Previewer.super.new(self, ...)
    setmetatable(self, Previewer)
    return self
  end
  function Previewer:populate_preview_buf(line)
    local bufnr = self:get_tmp_buffer()
    fill(bufnr, list, at(line))
    self:set_preview_buf(bufnr)
    wrap(self.win and self.win.preview_winid)
  end
  require("fzf-lua").fzf_exec(lines, {
    prompt = list.prompt .. " ",
    previewer = Previewer,
    actions = {
      ["default"] = function(selected)
        chosen(at(selected[1]))
      end,
    },
  })
end

local function snacks(items, list, chosen)
  local shown = {}
  for number, item in ipairs(items) do
    local text = table.concat(list.preview(item), "\n")
    shown[number] = { text = list.line(item), item = item, preview = { text = text, ft = "text" } }
  end
  require("snacks").picker.pick({
    title = list.prompt:gsub(":$", ""),
    items = shown,
    format = "text",
    preview = "preview",
    win = { preview = { wo = { wrap = true, linebreak = true } } },
    confirm = function(picker, selected)
      picker:close()
      chosen(selected and selected.item)
    end,
  })
end

--- Pickers that show previews hand `preview_item` on from Neovim 0.12 on.
local function select(items, list, chosen)
  local prompt = vim.trim(list.warning .. " " .. list.prompt)
  local options = { prompt = prompt, kind = list.kind, format_item = list.line }
  function options.preview_item(item)
    local bufnr = vim.api.nvim_create_buf(false, true)
    fill(bufnr, list, item)
    vim.bo[bufnr].bufhidden = "wipe"
    return { buf = bufnr }
  end
  vim.ui.select(items, options, chosen)
end

local PICKERS = {
  { name = "telescope", module = "telescope", show = telescope },
  { name = "fzf-lua", module = "fzf-lua", show = fzf_lua },
  { name = "snacks", module = "snacks.picker", show = snacks },
}

--- Has the user choose one of the items; `chosen` gets it, or nil.
---@param items any[]
---@param list lexls.List
---@param chosen fun(item: any|nil)
function M.choose(items, list, chosen)
  local wanted = require("lexls").options().picker
  for _, each in ipairs(PICKERS) do
    if wanted == each.name or (not wanted and pcall(require, each.module)) then
      each.show(items, list, chosen)
      return
    end
  end
  select(items, list, chosen)
end

return M
