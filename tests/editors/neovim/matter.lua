-- usage: nvim --clean --headless -l matter.lua NVIM WORKSPACE OUT TMUX      TMUX: a socket for tmux to make
-- An American brief on a library of opinions, a code and contracts, as ../shared/matters/streamlocker lays them out in
-- WORKSPACE: what a lawyer expects at each place of it (expected.md there), asked in a real Neovim.
local nvim, workspace, out, terminal = unpack(arg)
local here = vim.fs.dirname(vim.fn.fnamemodify(debug.getinfo(1).source:sub(2), ":p"))
local draft = workspace .. "/brief.md"
local t = dofile(here .. "/terminal.lua")({
  nvim = nvim,
  workspace = workspace,
  draft = draft,
  out = out,
  socket = terminal,
})
local check, command, contains, float, go_to, normal, remote, screen = t.check, t.command, t.contains, t.float, t.go_to, t.normal, t.remote, t.screen
local until_ = t.until_

local function lacks(text, ...)
  for _, part in ipairs({ ... }) do
    assert(not text:find(part, 1, true), ("%q stands in %q"):format(part, text))
  end
end
--- The hover at a place, after keys that go on from there, as words in one line.
local function hover(at, keys)
  go_to(at)
  t.type(keys or "")
  t.type("K")
  local text = until_("a window", float)
  return (text:gsub("%s+", " "))
end
--- Where the definition of what is cited at a place opens: the file and the line.
local function definition(at)
  go_to(at)
  t.press("C-]")
  until_("the authority", function()
    return remote("return vim.api.nvim_buf_get_name(0)") ~= draft
  end)
  return remote("return vim.api.nvim_buf_get_name(0)"), remote("return vim.fn.line('.')")
end
--- What find-support offers for a sentence, first to last.
local function support(at)
  go_to(at)
  remote([[
    _G.offered = nil
    vim.ui.select = function(items, options)
      _G.offered = vim.tbl_map(options.format_item, items)
    end]])
  command("Lexls support")
  return until_("the offers", function()
    return remote("return _G.offered or false")
  end)
end
--- The findings: { code, words of the draft, message }.
local function findings()
  return remote([[
    return vim.tbl_map(function(each)
      local words = table.concat(vim.api.nvim_buf_get_text(0, each.lnum, each.col, each.end_lnum, each.end_col, {}), " ")
      return { code = each.code, words = words, message = each.message }
    end, vim.diagnostic.get(0))]])
end
--- What the buffer of an answer says.
local function answer(of)
  command(of)
  return until_("the whole answer", function()
    return remote([[
      local words = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), " ")
      local here = vim.startswith(vim.api.nvim_buf_get_name(0), "lexls://answers/")
      return here and not next(require("lexls.request").running) and #words > 100 and words]])
  end)
end

check("the library is read", function()
  command("edit brief.md")
  local status
  local read = vim.wait(180000, function()
    status = remote("return require('lexls').status()")
    return status:find("^lexls: %d+ citations?: ") and #findings() > 0
  end, 500)
  assert(read, status)
end)

check("a case without page marks shows the passage that its words lead to", function()
  local text = hover("869 F.3d 848, 863")
  contains(text, "Disney Enterprises, Inc. v. VidAngel, Inc.")
  contains(text, "found by its words")
  contains(text, "August 24, 2017")
  lacks(text, "p 0", "24 August", "¶")
  local file, line = definition("869 F.3d 848, 863")
  contains(file, "VidAngel")
  assert(line > 1, "it opens at line 1")
end)

check("the two misquotations, the case that is missing and the Act that is codified are found, and nothing else", function()
  go_to("### Introduction")
  -- What is missing is told when the whole library is read.
  local found
  vim.wait(30000, function()
    found = findings()
    return #found == 4
  end, 500)
  assert(#found == 4, vim.inspect(found))
  local codes = vim.tbl_map(function(each)
    return each.code
  end, found)
  local misquoted = vim.tbl_filter(function(code)
    return code == "misquotation" or code == "quotation-wording"
  end, codes)
  assert(#misquoted == 2, vim.inspect(found))
  contains(vim.inspect(found), "499 U.S. 340")
  contains(vim.inspect(found), "where it is codified, is")
end)

check("a contract is cited as what it is", function()
  local text = hover("Joint Content License Agreement § 3")
  contains(text:lower(), "joint content license agreement")
  contains(text, "three (3) years")
  contains(text, "February 1, 2018")
  lacks(text, "17 U.S.C.", "Copyright")
  contains(definition("Joint Content License Agreement § 3"), "AlliedEsports")
end)

check("a section of the code is written in the American way", function()
  local text = hover("17 U.S.C. § 1201(a)(1)(A)")
  contains(text, "§ 1201(a)(1)(A)")
  lacks(text, " s 1201", "¶")
end)

check("Id. is what was cited before it, and nothing is said of it", function()
  contains(hover("legal standard. *Id.*", "f*l"), "A&M Records")
  for _, each in ipairs(findings()) do
    assert(not each.words:find("^Id"), vim.inspect(each))
  end
end)

check("conversion to the Bluebook changes no byte", function()
  normal()
  command("edit brief.md")
  local before = remote("return vim.api.nvim_buf_get_changedtick(0)")
  command("Lexls convert bluebook")
  until_("the news", function()
    local said = "citations were rewritten"
    return screen():find(said, 1, true) or remote("return vim.fn.execute('messages')"):find(said, 1, true)
  end)
  assert(remote("return vim.api.nvim_buf_get_changedtick(0)") == before, screen())
end)

check("a name that begins with a number, and none that begins with a signal", function()
  local function tokens(at)
    go_to(at)
    return remote([[
      return vim.tbl_map(function(each)
        return each.type
      end, vim.lsp.semantic_tokens.get_at_pos() or {})]])
  end
  assert(vim.list_contains(tokens("321 Studios v."), "caseName"))
  assert(vim.list_contains(tokens("Davidson & Associates"), "caseName"))
  assert(not vim.list_contains(tokens("See Davidson"), "caseName"))
end)

check("a note is a pinpoint", function()
  contains(hover("629 F.3d 928, 953 n.16"), "953")
  assert(not vim.iter(findings()):any(function(each)
    return each.code == "pinpoint-not-found"
  end), vim.inspect(findings()))
end)

check("find-support offers what says it, and no page 0", function()
  local offers = support("A technological protection measure may serve")
  lacks(table.concat(offers, "\n"), " p 0", "at 0")
  contains(table.concat(offers, "\n"), "RealNetworks")
  contains(table.concat(vim.list_slice(support("Fair use is never a defense"), 1, 2), "\n"), "RealNetworks")
  contains(table.concat(support("Delay in seeking an injunction"), "\n"), "VidAngel")
  contains(table.concat(support("StreamLocker's financial hardship"), "\n"), "VidAngel")
end)

check("nothing that agrees is shown as contrary authority", function()
  go_to("Fair use is never a defense")
  contains(answer("Lexls contrary"), "Nothing in the passages found contradicts this")
  t.keep("contrary authority")
  command("close")
end)

check("no sentence is drafted that rests on a statute's recital", function()
  go_to("A technological protection measure may serve")
  local before = remote("return vim.api.nvim_buf_get_changedtick(0)")
  command("Lexls draft")
  until_("why there is none", function()
    local said = "nothing in your library supports a sentence here"
    return screen():find(said, 1, true) or remote("return vim.fn.execute('messages')"):find(said, 1, true)
  end)
  assert(remote("return vim.api.nvim_buf_get_changedtick(0)") == before, screen())
end)

check("a question is answered by the clause of the contract that the brief cites", function()
  local text = answer("Lexls ask How long is the term of the content license?")
  contains(text, "three (3) years")
  contains(text, "Joint Content License Agreement § 3")
  assert(select(2, text:gsub("License Agreement", "")) == 1, text)
  t.keep("the term of the license")
  command("close")
end)

--- What is offered when this is typed behind a paragraph that cites nothing.
local function offers(typed)
  go_to("A technological protection measure")
  t.type("A " .. typed)
  t.press("C-x", "C-o")
  return until_("the menu", function()
    return remote("return vim.fn.pumvisible() == 1 and vim.fn.complete_info({ 'items' }).items")
  end)
end
check("after a signal authorities are offered, no ordinals", function()
  local items = offers("See ")
  assert(#items > 1)
  -- Neovim writes the first into the line at once: as the draft writes names, not as the menu shows it.
  assert(items[1].word:find("^%*.+%*, %d+ "), items[1].word)
  for _, item in ipairs(items) do
    lacks(item.abbr .. item.word, "1st", "First")
  end
  t.keep("completion after See")
  normal()
  command("edit!")
  items = offers("*321")
  contains(items[1].abbr, "321 Studios")
  normal()
  command("edit!")
end)

check("the table of authorities is an American one", function()
  go_to("### Conclusion")
  command("Lexls table")
  local text = until_("the table", function()
    local whole = table.concat(remote("return vim.api.nvim_buf_get_lines(0, 0, -1, false)"), "\n")
    return whole:match("\n# Table of Authorities.*")
  end)
  for _, part in ipairs({ "Cases", "Statutes", "Other", "(9th Cir. 2010)", "321 Studios" }) do
    contains(text, part)
  end
  lacks(text, "See Davidson")
  t.keep("the table of authorities")
  command("undo")
end)

t.leave()
