--- The review of a whole brief, as the page that the server writes: a browser shows it.
local request = require("lexls.request")

local M = {}

--- Has the brief in the current buffer reviewed, beside those of opponents if there are any, and opens the page. It lies in
--- Neovim's own temporary folder, which nobody else can read, and is gone with it.
---@param against string[] their files
function M.review(against)
  local client = request.attached()
  if not client then
    return
  end
  local bufnr = vim.api.nvim_get_current_buf()
  local file = vim.fn.tempname() .. ".html"
  local argument = {
    uri = vim.uri_from_bufnr(bufnr),
    against = vim.tbl_map(function(each)
      return vim.uri_from_fname(vim.fn.fnamemodify(each, ":p"))
    end, against),
    folder = vim.fs.dirname(file),
  }
  request.answer(client, bufnr, "lexls.report", argument, {
    busy = "the brief is being reviewed",
    answered = function(report)
      if not report then
        request.notify("the library is not open yet", vim.log.levels.WARN)
        return
      end
      vim.fn.writefile(vim.split(report.page, "\n"), file)
      local opened, problem = vim.ui.open(file)
      if not opened then
        request.notify(("%s: the review is in %s"):format(problem or "it cannot be opened", file), vim.log.levels.WARN)
      end
    end,
  })
end

return M
