-- Starts lexls for drafts and defines :Lexls. Nothing needs to be called; `vim.g.lexls = { ... }`, set before,
-- changes what `:help lexls-options` lists.
if vim.g.loaded_lexls == 1 then
  return
end
vim.g.loaded_lexls = 1

if vim.fn.has("nvim-0.10") == 0 then
  vim.notify_once("lexls needs Neovim 0.10 or newer", vim.log.levels.WARN)
  return
end

vim.filetype.add({ extension = { typ = "typst" } })

vim.api.nvim_create_user_command("Lexls", function(command)
  require("lexls.commands").run(command)
end, {
  nargs = "*",
  range = true,
  desc = "lexls: ask, threads, support, explain, draft, contrary, review, cancel, convert, table …",
  complete = function(lead, line)
    return require("lexls.commands").complete(lead, line)
  end,
})

require("lexls").link_highlights()
vim.api.nvim_create_autocmd("ColorScheme", {
  group = vim.api.nvim_create_augroup("lexls.highlights", {}),
  callback = function()
    require("lexls").link_highlights()
  end,
})

vim.api.nvim_create_autocmd("LspAttach", {
  group = vim.api.nvim_create_augroup("lexls.attached", {}),
  callback = function(event)
    require("lexls").attached(event.data.client_id)
  end,
})

require("lexls").enable()
