// Generated from lexls/settings by `make docs`; edit the declarations there.
export const LANGUAGES = ["asciidoc", "latex", "markdown", "typst", "plaintext"];
