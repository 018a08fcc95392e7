--- What is said of a sentence of a draft: why it is supported, what stands against it, how it might read.
local page = require("lexls.page")
local request = require("lexls.request")

local M = {}

--- Shows why the authority cited at a place supports its sentence, or, where `place.authority` names one of the
--- authorities that find-support offered, how that one does.
---@param client vim.lsp.Client
---@param bufnr integer
---@param place table the argument of lexls.explain
function M.explain_at(client, bufnr, place)
  local grow
  local function show(markdown)
    if not grow then
      grow = page.float("lexls.explanation", page.render(markdown))
    else
      grow(page.render(markdown))
    end
  end
  request.answer(client, bufnr, "lexls.explain", vim.tbl_extend("force", place, { show = true }), {
    busy = "explaining",
    grown = function(update)
      show(update.markdown)
    end,
    answered = function(explanation)
      if explanation then
        show(explanation.markdown)
      else
        request.notify("there is no citation at the cursor")
      end
    end,
  })
end

--- Shows what in the library stands against the sentence at a place.
---@param client vim.lsp.Client
---@param bufnr integer
---@param place { uri: string, range: lsp.Range }
function M.contrary_at(client, bufnr, place)
  local answers = require("lexls.asking")
  local shown = answers.page({ client_id = client.id, uri = place.uri, title = "Contrary authority" })
  request.answer(client, shown, "lexls.contrary", vim.tbl_extend("force", place, { show = true }), {
    busy = "looking for contrary authority",
    grown = function(update)
      answers.show(shown, update.markdown)
    end,
    answered = function(answer)
      if answer then
        answers.show(shown, answer.markdown)
      else
        request.notify("the library is not open yet", vim.log.levels.WARN)
      end
    end,
    stopped = function()
      answers.stopped(shown)
    end,
  })
end

--- Has the server write a supported sentence, with its citations, in place of the one at a place.
---@param client vim.lsp.Client
---@param bufnr integer
---@param place { uri: string, range: lsp.Range }
function M.draft_at(client, bufnr, place)
  request.answer(client, bufnr, "lexls.draft", place, {
    busy = "drafting a sentence",
    answered = function(drafted)
      if not drafted then
        request.notify("the library is not open yet", vim.log.levels.WARN)
      end -- why nothing was inserted the server has said
    end,
  })
end

return M
