---@brief
---
--- ${repository}
---
--- lexls checks the citations of a draft against your own library of authorities: `pip install lexls`.
---
--- Settings go under `lexls`: `vim.lsp.config("lexls", { settings = { lexls = { jurisdiction = "UK" } } })`.
--- Commands, pickers and answers need the plugin; this file works without it.

---@type vim.lsp.Config
return {
  cmd = { "lexls", "serve" },
  filetypes = {
    "asciidoc",
    "asciidoctor",
    "tex",
    "plaintex",
    "markdown",
    "typst",
    "text",
  },
  root_markers = { "lexls.toml", "library", "authorities", ".git" },
  -- Neovim's display of Markdown hides the brackets of "[2014] ASC 12".
  capabilities = {
    textDocument = {
      hover = { contentFormat = { "plaintext" } },
      completion = { completionItem = { documentationFormat = { "plaintext" } } },
    },
  },
}
