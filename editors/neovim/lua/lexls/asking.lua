--- Questions to the library: asked, continued, branched, kept in threads, answered in buffers of their own.
local lexls = require("lexls")
local page = require("lexls.page")
local request = require("lexls.request")

local M = {}

---@class lexls.AnswerPage what a buffer of answers shows
---@field client_id integer
---@field uri? string the draft that was asked beside
---@field title string
---@field thread? string
---@field shown? string its Markdown

---@type table<integer, lexls.AnswerPage>
local pages = {}
local count = 0

--- A buffer for answers in a window of its own: the one that shows the thread already, else a new one.
---@param about lexls.AnswerPage
---@return integer
function M.page(about)
  for bufnr, each in pairs(pages) do
    if about.thread and each.thread == about.thread and vim.api.nvim_buf_is_valid(bufnr) then
      M.enter(bufnr)
      return bufnr
    end
  end
  count = count + 1
  local bufnr = vim.api.nvim_create_buf(false, true)
  pages[bufnr] = about
  vim.api.nvim_buf_set_name(bufnr, ("lexls://answers/%d"):format(count))
  vim.bo[bufnr].filetype = "lexls-answer"
  vim.bo[bufnr].modifiable = false
  vim.keymap.set("n", "q", function()
    if request.cancel(bufnr) == 0 then
      pcall(vim.api.nvim_win_close, 0, false) -- the last window stays
    end
  end, { buffer = bufnr, nowait = true, desc = "lexls: stop the answer, else close the window" })
  vim.api.nvim_create_autocmd("BufWinEnter", {
    buffer = bufnr,
    callback = function()
      page.lay_out(vim.api.nvim_get_current_win())
    end,
  })
  vim.api.nvim_create_autocmd("BufWipeout", {
    buffer = bufnr,
    callback = function()
      request.cancel(bufnr)
      pages[bufnr] = nil
    end,
  })
  M.enter(bufnr)
  return bufnr
end

--- Goes to the window of a buffer of answers, or opens one: beside where there is room, else below.
function M.enter(bufnr)
  local window = vim.fn.win_findbuf(bufnr)[1]
  if window then
    vim.api.nvim_set_current_win(window)
    return
  end
  vim.cmd(vim.o.columns >= 160 and "botright vsplit" or "botright split")
  vim.api.nvim_win_set_buf(0, bufnr)
  vim.wo.number, vim.wo.relativenumber, vim.wo.list = false, false, false
end

--- Has a buffer of answers show Markdown.
---@param bufnr integer
---@param markdown string
function M.show(bufnr, markdown)
  if pages[bufnr] and vim.api.nvim_buf_is_loaded(bufnr) then
    pages[bufnr].shown = markdown
    page.write(bufnr, nil, page.render(markdown))
  end
end

--- Says on a buffer of answers that the last one was cancelled.
---@param bufnr integer
function M.stopped(bufnr)
  local shown = pages[bufnr] and pages[bufnr].shown or ""
  M.show(bufnr, ("%s\n\n_You stopped this answer before it was whole._"):format(shown))
end

--- Says on which page the current buffer is, if it is one.
local function here()
  return pages[vim.api.nvim_get_current_buf()]
end

--- The server that answers, and the draft that is asked beside: those of the page or the buffer, else of any that runs.
---@return vim.lsp.Client|nil, string|nil
local function asked_of()
  local about = here()
  local client = about and vim.lsp.get_client_by_id(about.client_id)
  if client then
    return client, about.uri
  end
  local own = lexls.client(0)
  if own then
    return own, vim.uri_from_bufnr(0)
  end
  return vim.lsp.get_clients({ name = "lexls" })[1] or request.attached()
end

--- Shows the answer to a question as it grows, under the turns of its thread that come before it.
---@param client vim.lsp.Client
---@param uri string|nil
---@param question string
---@param place { thread?: string, after?: integer }
local function answer(client, uri, question, place)
  local bufnr = M.page({ client_id = client.id, uri = uri, title = question, thread = place.thread })
  request.cancel(bufnr) -- one answer at a time on a page
  local function below(before)
    local above = before .. "## " .. question:gsub("%p", "\\%0") .. "\n\n"
    M.show(bufnr, above)
    for _, window in ipairs(vim.fn.win_findbuf(bufnr)) do -- where the answer will come
      vim.api.nvim_win_set_cursor(window, { vim.api.nvim_buf_line_count(bufnr), 0 })
      vim.api.nvim_win_call(window, function()
        vim.cmd("normal! zt")
      end)
    end
    local argument = { question = question, uri = uri, thread = place.thread, after = place.after }
    request.answer(client, bufnr, "lexls.ask", argument, {
      busy = "answering",
      grown = function(update)
        M.show(bufnr, above .. update.markdown)
      end,
      answered = function(asked)
        if not asked then
          request.notify("the library is not open yet", vim.log.levels.WARN)
          return
        end
        M.show(bufnr, above .. asked.markdown)
        if pages[bufnr] and asked.thread and asked.thread ~= vim.NIL then
          pages[bufnr].thread, pages[bufnr].title = asked.thread, asked.title
        end
      end,
      stopped = function()
        M.stopped(bufnr)
      end,
    })
  end
  if place.thread then
    local argument = { thread = place.thread, turn = place.after, uri = uri }
    request.execute(client, bufnr, "lexls.thread", argument, function(thread)
      below(thread.markdown .. "\n\n")
    end)
  else
    below("")
  end
end

--- Asks a question, or for one where it is "": in a buffer of answers further in its thread, else in a new one.
---@param question string
---@param place? { thread: string, after?: integer }
function M.ask(question, place)
  local client, uri = asked_of()
  if not client then
    return
  end
  local about = here()
  place = place or { thread = about and about.thread }
  if vim.trim(question) ~= "" then
    answer(client, uri, vim.trim(question), place)
    return
  end
  vim.ui.input({ prompt = place.thread and "Ask further: " or "Ask the library: " }, function(typed)
    if typed and vim.trim(typed) ~= "" then
      answer(client, uri, vim.trim(typed), place)
    end
  end)
end

local function open(client, uri, thread)
  request.execute(client, 0, "lexls.thread", { thread = thread, uri = uri }, function(read)
    local bufnr = M.page({ client_id = client.id, uri = uri, title = read.title, thread = thread })
    M.show(bufnr, read.markdown)
  end)
end

local function branch(client, uri, thread)
  request.execute(client, 0, "lexls.thread", { thread = thread, uri = uri }, function(read)
    local options = { prompt = "After which question?", kind = "lexls.turns" }
    function options.format_item(turn)
      return turn.question
    end
    vim.ui.select(read.turns, options, function(turn)
      if turn then
        M.ask("", { thread = thread, after = turn.turn })
      end
    end)
  end)
end

local function delete(client, uri, thread, title)
  vim.ui.select({ "Delete it", "Keep it" }, { prompt = ("Delete the thread %q?"):format(title) }, function(choice)
    if choice ~= "Delete it" then
      return
    end
    request.execute(client, 0, "lexls.deleteThread", { thread = thread, uri = uri }, function()
      for bufnr, each in pairs(pages) do
        if each.thread == thread then
          each.thread = nil
          M.show(bufnr, "_This thread was deleted._")
        end
      end
      request.notify("the thread was deleted")
    end)
  end)
end

local ACTIONS = {
  { "Open", open },
  {
    "Ask further",
    function(_, _, thread)
      M.ask("", { thread = thread })
    end,
  },
  { "Branch: ask something else after an earlier question", branch },
  { "Delete", delete },
}

--- Offers the stored threads of the workspace, and what can be done with the one chosen.
function M.threads()
  local client, uri = asked_of()
  if not client then
    return
  end
  request.execute(client, 0, "lexls.threads", { uri = uri }, function(threads)
    if not threads or #threads == 0 then
      request.notify("nothing was asked in this workspace yet")
      return
    end
    local options = { prompt = "Threads:", kind = "lexls.threads" }
    function options.format_item(thread)
      return ("%s (%d, %s)"):format(thread.title, thread.turns, thread.changed:sub(1, 10))
    end
    vim.ui.select(threads, options, function(thread)
      if not thread then
        return
      end
      local what = { prompt = thread.title, kind = "lexls.thread" }
      function what.format_item(action)
        return action[1]
      end
      vim.ui.select(ACTIONS, what, function(action)
        if action then
          action[2](client, uri, thread.thread, thread.title)
        end
      end)
    end)
  end)
end

return M
