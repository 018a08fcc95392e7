-- The configuration that vim.lsp.enable("lexls") takes up (Neovim 0.11 and newer); change parts of it with
-- vim.lsp.config("lexls", { ... }).
return require("lexls").config()
