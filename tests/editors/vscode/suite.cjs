// Runs inside VS Code's extension host, which calls `run` (extensionTestsPath).
const vscode = require("vscode"), assert = require("node:assert/strict"), fs = require("node:fs"), path = require("node:path");
const sample = JSON.parse(fs.readFileSync(path.join(__dirname, "..", "sample.json"), "utf8"));
const python = process.env.LEXLS_PYTHON, program = path.join(path.dirname(python), "lexls");
const folder = () => vscode.workspace.workspaceFolders[0].uri.fsPath;
const at = name => vscode.Uri.file(path.join(folder(), name));
const call = (command, ...args) => vscode.commands.executeCommand(command, ...args);

async function until(what, condition, milliseconds = 60_000) {
  for (const end = Date.now() + milliseconds; Date.now() < end;) {
    const value = await condition();
    if (value) return value;
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  throw new Error(`this did not come: ${what}`);
}
async function open(name) {
  const document = await vscode.workspace.openTextDocument(at(name));
  await vscode.window.showTextDocument(document);
  return document;
}
function find(document, text, into = 0) {
  const offset = document.getText().indexOf(text);
  assert(offset >= 0, `no "${text}" in ${document.fileName}`);
  return document.positionAt(offset + into);
}
function includes(text, part) {
  assert(text.includes(part), `no "${part}" in: ${text}`);
}
const diagnostics = (document, code) =>
  vscode.languages.getDiagnostics(document.uri).filter(each => (each.code?.value ?? each.code) === code);
const flat = blocks => blocks.flatMap(each => each.contents).map(each => each.value ?? each).join("\n");
const settings = values => Promise.all(Object.entries(values).map(([key, value]) =>
  vscode.workspace.getConfiguration("lexls").update(key, value, vscode.ConfigurationTarget.Global)));
/** What a page of lexls says; it is a document of its own. */
const page = async name => {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.from({ scheme: "lexls", path: `/${name}.md` }));
  return document.getText().replace(/\\(\W)/g, "$1");
};
const api = async () => (await vscode.extensions.getExtension("lexls.lexls").activate());

const tests = {
  async "a program named in a setting is the one started"() {
    await settings({ "server.path": program });
    const { server } = await api();
    const found = await until("the server", () => server()?.origin === "lexls.server.path" && server());
    assert.equal(found.command, program);
  },
  async "a Python named in a setting runs lexls as a module"() {
    await settings({ "server.path": undefined, "server.python": python });
    const { server } = await api();
    const found = await until("the server", () => server()?.origin === "lexls.server.python" && server());
    assert.deepEqual([found.command, ...found.args], [python, "-m", "lexls"]);
  },
  async "a setting that names no lexls is reported, nothing else is started"() {
    await settings({ "server.python": "/nonexistent/python" });
    const { server } = await api();
    await until("the end of the server", () => server() === undefined);
    await assert.rejects(call("lexls.status"), /not running/);
    await settings({ "server.python": python });
    await until("the server", () => server());
  },
  async "diagnostics arrive at their places"() {
    const document = await open(sample.draft);
    for (const expected of sample.diagnostics) {
      const [found] = await until(expected.code, () => { const all = diagnostics(document, expected.code); return all.length && all; });
      includes(found.message, expected.message);
      includes(expected.around, document.getText(found.range));
      assert.equal(found.source, "lexls");
    }
  },
  async "the library is listed folder by folder"() {
    const list = folder => call("lexls.listLibrary", { folder });
    const top = await until("the library", async () => { const listed = await list(); return listed.folders.length && listed; });
    const [outer, inner] = sample.library.folders;
    const folder = top.folders.find(each => each.name === outer);
    const cases = (await list(folder.path)).folders.find(each => each.name === inner);
    const { authorities } = await list(cases.path);
    assert.equal(authorities.length, cases.count);
    includes(authorities.find(each => each.title === sample.library.shows).about, sample.library.known);
  },
  async "a LaTeX draft is read too"() {
    const document = await open(sample.latex.draft);
    assert.equal(document.languageId, "latex");
    const [missing] = await until("missing-among-held", () => { const all = diagnostics(document, "missing-among-held"); return all.length && all; });
    includes(document.getText(missing.range).replace(/\s+/g, " "), sample.latex.missing);
    const [pinpoint] = await until("pinpoint-not-found", () => { const all = diagnostics(document, "pinpoint-not-found"); return all.length && all; });
    includes(sample.latex.pinpoint, document.getText(pinpoint.range));
  },
  async "a draft that was never saved is read too"() {
    const content = "The rule has gone: Carrow Shipping Ltd v Meridian Grain Traders Ltd [2014] ASC 12 at [23].\n";
    const document = await vscode.workspace.openTextDocument({ language: "markdown", content });
    const hover = flat(await call("vscode.executeHoverProvider", document.uri, find(document, "[2014]", 2)));
    includes(hover, sample.hover.shows[0]);
  },
  async "hover shows the authority"() {
    const document = await open(sample.draft);
    const text = flat(await call("vscode.executeHoverProvider", document.uri, find(document, sample.hover.at, 2)));
    for (const part of sample.hover.shows) includes(text.replace(/\s+/g, " "), part);
  },
  async "a completion resolves to its citation"() {
    const document = await open(sample.draft);
    const position = find(document, sample.completion.after, sample.completion.after.length);
    const list = await call("vscode.executeCompletionItemProvider", document.uri, position, undefined, 5);
    const item = list.items.find(each => JSON.stringify(each.label).includes(sample.completion.offers));
    assert(item, `not offered: ${list.items.map(each => each.label.label ?? each.label)}`);
    const inserted = item.insertText?.value ?? item.insertText ?? item.label;
    includes(inserted.replace(/\$\{\d+:([^}]*)\}|\$\d+/g, "$1").replace(/\\([\\$}])/g, "$1"), sample.completion.inserts);
  },
  async "the menu at the cursor is short, and more is behind one row"() {
    const document = await open(sample.draft);
    const position = find(document, sample.support.at, 10);
    const actions = await call("vscode.executeCodeActionProvider", document.uri, new vscode.Range(position, position));
    const titles = actions.map(each => each.title).filter(each => !each.startsWith("Organize"));
    assert.deepEqual(titles, ["Find supporting authority…", "More…"]);
  },
  async "definition is the paragraph"() {
    const document = await open(sample.draft);
    const [link] = await call("vscode.executeDefinitionProvider", document.uri, find(document, sample.definition.at, 2));
    const [uri, range] = [link.targetUri ?? link.uri, link.targetSelectionRange ?? link.targetRange ?? link.range];
    assert(uri.path.endsWith(sample.definition.file), uri.path);
    const target = await vscode.workspace.openTextDocument(uri);
    includes(target.lineAt(range.start.line).text, sample.definition.line);
  },
  async "references are the drafts and authorities that cite it"() {
    const document = await open(sample.draft);
    const found = await call("vscode.executeReferenceProvider", document.uri, find(document, sample.references.at, 2));
    const files = new Set(found.map(each => path.basename(each.uri.path)));
    for (const file of sample.references.in) assert(files.has(file), `${file} is not among ${[...files]}`);
  },
  async "links and symbols are listed"() {
    const document = await open(sample.draft);
    const links = await call("vscode.executeLinkProvider", document.uri, 100);
    const link = links.find(each => document.getText(each.range).includes(sample.definition.at.slice(0, 13)));
    assert(link?.target?.path.endsWith(sample.definition.file), `links: ${links.length}`);
    const symbols = await call("vscode.executeDocumentSymbolProvider", document.uri);
    const names = [];
    for (const queue = [...symbols]; queue.length > 0;) {
      const symbol = queue.shift();
      names.push(symbol.name);
      queue.push(...(symbol.children ?? []));
    }
    for (const name of sample.symbols) {
      // A heading stands in the outline of Markdown alone, an authority in ours.
      const found = names.filter(each => each.replace(/^#+ /, "") === name);
      assert.equal(found.length, 1, `${name} is not once among: ${names.join("; ")}`);
    }
    const workspace = await call("vscode.executeWorkspaceSymbolProvider", "Carrow");
    assert(workspace.some(each => each.name.includes(sample.hover.shows[0])), workspace.map(each => each.name).join());
  },
  async "diagnostics are those that the editor asks for"() {
    const document = await open(sample.draft);
    const [first] = await until("diagnostics", () => { const all = diagnostics(document, sample.diagnostics[0].code); return all.length && all; });
    assert.equal(diagnostics(document, sample.diagnostics[0].code).length, 1, "pushed and pulled, everything stands there twice");
    assert.equal(first.source, "lexls");
  },
  async "all mentions of an authority light up"() {
    const document = await open(sample.draft);
    const found = await call("vscode.executeDocumentHighlights", document.uri, find(document, sample.mentions.at, 2));
    assert.equal(found.length, sample.mentions.count, found.map(each => document.getText(each.range)).join("; "));
  },
  async "a hint says what ibid stands for"() {
    const document = await open(sample.draft);
    const whole = new vscode.Range(0, 0, document.lineCount, 0);
    const hints = await until("hints", async () => {
      const all = await call("vscode.executeInlayHintProvider", document.uri, whole);
      return all?.length && all;
    });
    const text = hint => typeof hint.label === "string" ? hint.label : hint.label.map(part => part.value).join("");
    const hint = hints.find(each => text(each) === sample.hints.label);
    assert(hint, `not among: ${hints.map(text).join("; ")}`);
    const before = document.getText(new vscode.Range(hint.position.translate(0, -sample.hints.behind.length), hint.position));
    assert.equal(before, sample.hints.behind);
  },
  async "tokens are of lexls' own kinds, and cover their words"() {
    const document = await open(sample.draft);
    const legend = await call("vscode.provideDocumentSemanticTokensLegend", document.uri);
    const { data } = await call("vscode.provideDocumentSemanticTokens", document.uri);
    const found = [];
    for (let at = 0, line = 0, column = 0; at < data.length; at += 5) {
      column = data[at] === 0 ? column + data[at + 1] : data[at + 1];
      line += data[at];
      found.push({ range: new vscode.Range(line, column, line, column + data[at + 2]), type: legend.tokenTypes[data[at + 3]] });
    }
    for (const { at, type } of sample.tokens) {
      const place = find(document, at, 1);
      const token = found.find(({ range }) => range.contains(place));
      assert(token, `no token at ${at}`);
      assert.equal(token.type, type);
    }
  },
  async "a defined term is renamed, anything else is refused in words"() {
    fs.writeFileSync(at(sample.note.draft).fsPath, sample.note.text);
    const document = await open(sample.note.draft);
    const position = find(document, sample.note.at, 1);
    const edit = await until("the edit", async () => {
      const found = await call("vscode.executeDocumentRenameProvider", document.uri, position, sample.note.name);
      return found?.size && found;
    });
    assert(await vscode.workspace.applyEdit(edit));
    assert.equal(document.getText(), sample.note.becomes);
    await call("undo");
    assert.equal(document.getText(), sample.note.text);
    const refused = find(document, sample.note.refuses.at, 1);
    await assert.rejects(call("vscode.prepareRename", document.uri, refused), new RegExp(sample.note.refuses.because));
  },
  async "sections fold, and a selection grows"() {
    const document = await open(sample.draft);
    const folds = await call("vscode.executeFoldingRangeProvider", document.uri);
    const [from, to] = [find(document, sample.folds.from).line, find(document, sample.folds.to).line];
    assert(folds.some(each => each.start === from && each.end === to), folds.map(each => `${each.start}-${each.end}`).join(" "));
    const [first] = await call("vscode.executeSelectionRangeProvider", document.uri, [find(document, sample.definition.at, 2)]);
    const grown = [];
    for (let each = first; each; each = each.parent) grown.push(document.getText(each.range));
    assert(grown.includes("[2014] ASC 12"), grown.slice(0, 4).join(" | "));
    assert.equal(grown.at(-1), document.getText());
  },
  async "who cites an authority is a call hierarchy"() {
    const document = await open(sample.draft);
    const [item] = await call("vscode.prepareCallHierarchy", document.uri, find(document, sample.callers.at, 2));
    const names = (await call("vscode.provideIncomingCalls", item)).map(each => each.from.name);
    assert(names.some(each => each.includes(sample.callers.from)), names.join("; "));
  },
  async "lenses come when they are wanted, and open the picker"() {
    const document = await open(sample.draft);
    const lenses = async () => (await call("vscode.executeCodeLensProvider", document.uri, 100)) ?? [];
    assert.deepEqual((await lenses()).filter(each => each.command?.command === "lexls.findSupport"), []);
    await settings({ "codeLens.enabled": true });
    const line = find(document, sample.lens.above).line;
    const lens = await until("a lens", async () => (await lenses()).find(each => each.range.start.line === line && each.command));
    assert.equal(lens.command.title, sample.lens.says);
    const known = await vscode.commands.getCommands(true);
    assert(known.includes(lens.command.command), lens.command.command);
    await settings({ "codeLens.enabled": undefined });
    await until("no more lenses", async () => (await lenses()).every(each => each.command?.command !== "lexls.findSupport"));
  },
  async "an explanation is verbatim"() {
    const document = await open(sample.draft);
    const argument = { uri: document.uri.toString(), position: find(document, sample.explain.at, 2) };
    await call("lexls.explain", argument);
    const text = await page("Explanation");
    for (const part of sample.explain.shows) includes(text, part);
    await call("workbench.action.closeAllEditors");
  },
  async "a question is answered, every sentence with its place in the library"() {
    const document = await open(sample.draft);
    const answer = await call("lexls.ask", { question: sample.ask.question, uri: document.uri.toString() });
    assert.equal(answer.abstained, false);
    const sentence = answer.sentences.find(each => each.text.includes(sample.ask.shows));
    assert(sentence, answer.markdown);
    const [{ target, text }] = sentence.pins;
    const source = await vscode.workspace.openTextDocument(vscode.Uri.parse(target.uri));
    const { start, end } = target.range;
    assert.equal(source.getText(new vscode.Range(start.line, start.character, end.line, end.character)), text);
    const shown = await page("Answer");
    includes(shown, `## ${sample.ask.question.slice(0, 20)}`);
    includes(shown, sample.ask.shows);
  },
  async "a thread is continued, branched and deleted"() {
    const uri = (await open(sample.draft)).uri.toString();
    const ask = (question, place) => call("lexls.ask", { question, uri, ...place });
    const { thread, turn } = await ask(sample.ask.question);
    const further = await ask(sample.ask.further.question, { thread });
    assert.equal(further.thread, thread);
    const branch = await ask(sample.ask.branch.question, { thread, after: turn });
    const read = await call("lexls.thread", { thread, uri });
    assert.deepEqual(read.turns.map(each => each.after), [null, turn, turn]);
    includes(read.markdown, sample.ask.branch.shows);
    assert(!read.markdown.includes(sample.ask.further.shows), "both branches at once");
    includes((await call("lexls.thread", { thread, uri, turn: further.turn })).markdown, sample.ask.further.shows);
    assert.equal(branch.turn, read.turn);
    const listed = async () => (await call("lexls.threads", { uri })).map(each => each.thread);
    assert((await listed()).includes(thread));
    assert.deepEqual(await call("lexls.deleteThread", { thread, uri }), { deleted: true });
    assert(!(await listed()).includes(thread));
    await call("workbench.action.closeAllEditors");
  },
  async "contrary authority is shown"() {
    fs.writeFileSync(at(sample.contrary.draft).fsPath, sample.contrary.text);
    const document = await open(sample.contrary.draft);
    await call("lexls.showContrary");
    includes(await page("Contrary Authority"), sample.contrary.shows);
    const actions = await call("vscode.executeCodeActionProvider", document.uri, new vscode.Range(0, 5, 0, 5), "explain");
    const action = actions.find(each => each.title === sample.contrary.action);
    assert(action, `not offered: ${actions.map(each => each.title)}`);
    await call(action.command.command, ...action.command.arguments);
    await call("workbench.action.closeAllEditors");
  },
  async "a supported sentence is drafted with its citation"() {
    const document = await open(sample.draft);
    const before = document.getText(), position = find(document, sample.drafted.at, 10);
    vscode.window.activeTextEditor.selection = new vscode.Selection(position, position);
    await call("lexls.draftSentence");
    await until("the citation", () => document.getText().includes(sample.drafted.inserts));
    await call("undo");
    assert.equal(document.getText(), before);
    const actions = await call("vscode.executeCodeActionProvider", document.uri, new vscode.Range(position, position), "refactor");
    const action = actions.find(each => each.title === sample.drafted.action);
    assert(action, `not offered: ${actions.map(each => each.title)}`);
    await call(action.command.command, ...action.command.arguments);
    await until("the citation again", () => document.getText().includes(sample.drafted.inserts));
    await call("undo");
  },
  async "a folder of the Explorer is added to the library, in the workspace's own file"() {
    const root = vscode.workspace.workspaceFolders[0].uri.fsPath;
    const [file, folder] = [path.join(root, "lexls.toml"), path.join(root, "exhibits")];
    const before = fs.readFileSync(file, "utf8");
    fs.mkdirSync(folder);
    await call("lexls.addToLibrary", vscode.Uri.file(folder));
    includes(fs.readFileSync(file, "utf8"), 'folders = ["library", "exhibits"]');
    await until("the folder", async () => (await call("lexls.listLibrary")).folders.some(each => each.name === "exhibits"));
    fs.writeFileSync(file, before);
    await until("the folder gone", async () => (await call("lexls.listLibrary")).folders.length === 1);
  },
  async "indexing pauses and goes on"() {
    const phase = async () => (await call("lexls.status")).libraries[0].phase;
    await call("lexls.pauseIndexing");
    await until("the pause", async () => (await phase()) === "paused");
    await call("lexls.resumeIndexing");
    await until("the end of it", async () => (await phase()) === "lexical");
  },
  async "a setting of the editor reaches the server, and goes again"() {
    const document = await open(sample.draft);
    const count = code => diagnostics(document, code).length;
    await until("diagnostics of both kinds", () => count("missing-among-held") > 0 && count("pinpoint-not-found") > 0);
    await settings({ "diagnostics.missingAmongHeld": "off" });
    await until("only those of the other", () => count("missing-among-held") === 0 && count("pinpoint-not-found") > 0);
    await settings({ "diagnostics.missingAmongHeld": undefined });
    await until("the diagnostics again", () => count("missing-among-held") > 0);
  },
  async "a model that runs on this machine is offered and put to use"() {
    const ollama = require("node:http").createServer((_, answer) => answer.end(JSON.stringify({ models: [{ name: "talker:1b" }] })));
    await new Promise(resolve => ollama.listen(0, "127.0.0.1", resolve));
    process.env.OLLAMA_HOST = `127.0.0.1:${ollama.address().port}`;
    const added = call("lexls.addModel");
    const configuration = () => vscode.workspace.getConfiguration("lexls");
    await until("the first choice", async () => {
      await call("workbench.action.acceptSelectedQuickOpenItem");
      return configuration().get("openai.model") === "talker:1b";
    });
    await added;
    assert.equal(configuration().get("explain.generator"), "openai");
    assert.equal(configuration().get("openai.baseUrl"), `http://127.0.0.1:${ollama.address().port}/v1`);
    ollama.close();
    delete process.env.OLLAMA_HOST;
    await settings({ "explain.generator": undefined, "openai.baseUrl": undefined, "openai.model": undefined });
  },
  async "findings in a draft that is not open are problems too"() {
    const uri = at("drafts/closed.md");
    const codes = () => vscode.languages.getDiagnostics(uri).map(each => each.code?.value ?? each.code);
    fs.writeFileSync(uri.fsPath, "So it was held in *Nobody v Known* [1999] ASC 999 at [1].\n");
    await until("the finding", () => codes().includes("not-in-library") || codes().includes("missing-among-held"));
    const before = codes();
    // As a person opens it: a document that an extension opened stays open for minutes.
    await call("vscode.open", uri);
    const isOpen = () => vscode.workspace.textDocuments.some(each => each.uri.path === uri.path);
    await until("the document", isOpen);
    await until("the finding, once", () => codes().length === before.length);
    await call("workbench.action.closeActiveEditor");
    await until("its end", () => !isOpen());
    await new Promise(resolve => setTimeout(resolve, 3000));
    assert.deepEqual(codes(), before);
    fs.rmSync(uri.fsPath);
    await until("the end of it", () => codes().length === 0);
  },
  async "a renamed file has its new name in drafts"() {
    const [draft, old, renamed] = [at("drafts/linking.md"), at("drafts/plan.txt"), at("drafts/site plan.txt")];
    fs.writeFileSync(draft.fsPath, "See [the plan](plan.txt).\n");
    fs.writeFileSync(old.fsPath, "A plan.\n");
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(old, renamed);
    assert(await vscode.workspace.applyEdit(edit));
    const document = await vscode.workspace.openTextDocument(draft);
    assert.equal(document.getText(), "See [the plan](site%20plan.txt).\n");
    await document.save();
    fs.rmSync(draft.fsPath);
    fs.rmSync(renamed.fsPath);
  },
  async "language models have the tools that the manifest declares"() {
    const { contributes } = vscode.extensions.getExtension("lexls.lexls").packageJSON;
    const known = vscode.lm.tools.map(each => each.name);
    for (const { name } of contributes.languageModelTools) assert(known.includes(name), name);
    const ask = async (name, input) => {
      const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
      return content.map(each => each.value).join("\n");
    };
    includes(await ask("lexls_verify_citation", { citation: "[2014] ASC 12 at [23]" }), "Carrow Shipping Ltd");
    includes(await ask("lexls_check_draft", { path: sample.draft }), "not in your library");
    await assert.rejects(ask("lexls_check_draft", { path: "../elsewhere.md" }), /outside the workspace/);
  },
  async "hosts of the Model Context Protocol find the server without configuration"() {
    const chat = vscode.workspace.getConfiguration("chat");
    await chat.update("disableAIFeatures", false, vscode.ConfigurationTarget.Global);
    const { contributes } = vscode.extensions.getExtension("lexls.lexls").packageJSON;
    const offered = () => vscode.lm.tools.map(each => each.name).filter(name => name.startsWith("mcp_"));
    // Once, before passages go to a model, it is asked whether they may.
    const asked = setInterval(() => call("workbench.action.acceptSelectedQuickOpenItem"), 500);
    await until("its tools", async () => (await call("workbench.mcp.startServer", "lexls.lexls/lexls"), offered().length >= contributes.languageModelTools.length));
    clearInterval(asked);
    const check = offered().find(name => name.includes("check_draft"));
    const { content } = await vscode.lm.invokeTool(check, { input: { path: sample.draft }, toolInvocationToken: undefined });
    includes(content.map(each => each.value).join("\n"), "not in your library");
    await call("workbench.mcp.stopServer", "lexls.lexls/lexls");
    await chat.update("disableAIFeatures", true, vscode.ConfigurationTarget.Global);
  },
  async "the default keys are nobody else's"() {
    await call("workbench.action.openDefaultKeybindingsFile");
    const { document } = vscode.window.activeTextEditor;
    const bound = JSON.parse(document.getText().slice(document.getText().indexOf("["), document.getText().lastIndexOf("]") + 1).replace(/^\s*\/\/.*$/gm, ""));
    await call("workbench.action.closeActiveEditor");
    const { contributes } = vscode.extensions.getExtension("lexls.lexls").packageJSON;
    const own = contributes.keybindings.filter(each => each.when.startsWith("editorTextFocus"));
    assert.equal(own.length, 2);
    for (const { key, command } of own) {
      assert.deepEqual(bound.filter(each => each.key === key).map(each => each.command), [command]);
    }
  },
  async "the walkthrough opens by its command"() {
    await call("lexls.getStarted");
    const label = () => vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? "";
    await until("its tab", () => /walkthrough|welcome|get started/i.test(label()), 10_000);
    await call("workbench.action.closeActiveEditor");
  },
  async "a restarted server answers"() {
    const document = await open(sample.draft);
    await call("lexls.restartServer");
    const text = await until("a hover", async () =>
      flat(await call("vscode.executeHoverProvider", document.uri, find(document, sample.hover.at, 2))));
    includes(text, sample.hover.shows[0]);
  },
  async "every declared command is there"() {
    const { contributes } = vscode.extensions.getExtension("lexls.lexls").packageJSON;
    const known = new Set(await vscode.commands.getCommands(true));
    assert(contributes.commands.length > 0);
    for (const { command } of contributes.commands) assert(known.has(command), command);
  },
};

exports.run = async () => {
  let passed = 0, failed = 0;
  for (const [name, test] of Object.entries(tests)) {
    try {
      await test();
      passed++;
      console.log(`TEST ok   ${name}`);
    } catch (error) {
      failed++;
      console.log(`TEST FAIL ${name}: ${String(error.message).slice(0, 400).replace(/\n/g, " ")}`);
    }
  }
  console.log(`TEST VS Code ${vscode.version}: ${passed} passed, ${failed} failed`);
  if (failed > 0) throw new Error(`${failed} failed`);
};
