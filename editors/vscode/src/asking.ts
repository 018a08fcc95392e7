/** Questions to the library: asked, continued, branched, kept in threads. */
import * as vscode from "vscode";
import { answer, cancelled, isAnswer } from "./answers";
import type { LexlsClient } from "./client";
import { isDraft } from "./drafts";
import { escape, type Pages } from "./pages";
import type { Asked, Commands, Sentence, Thread, ThreadSummary } from "./protocol";
import { commandLink, INSERT, parseAddress, writeAddress } from "./sources";

const PAGE = "Answer";
/** How many threads are offered when a question is asked; all of them are in the list of threads. */
const RECENT = 5;

/** Where a question goes: into a thread, after its last turn or after `after`; without a thread it begins one. */
interface Place {
  readonly thread?: string;
  readonly after?: number;
  readonly title?: string;
}

interface Choice<T> extends vscode.QuickPickItem {
  readonly value: T;
}

export class Asking implements vscode.Disposable {
  /** The thread on the page. */
  #open: { readonly thread: string; readonly title: string } | undefined;

  /** The draft that was worked on last: a source may cover it by the time that something goes into it. */
  #draft = draftEditor();
  readonly #following = vscode.window.onDidChangeActiveTextEditor(() => (this.#draft = draftEditor() ?? this.#draft));

  constructor(private readonly pages: Pages) {}

  dispose(): void {
    this.#following.dispose();
  }

  /** Asks for a question and shows its answer; `place` says where it goes, a person where there is a choice. */
  readonly ask = async (client: LexlsClient, place?: Place): Promise<void> => {
    const chosen = place ?? (await this.#choosePlace(client));
    if (chosen === undefined) {
      return;
    }
    const question = await vscode.window.showInputBox({
      title: chosen.title === undefined ? "Ask the Library" : `Ask Further: ${chosen.title}`,
      prompt: "The answer quotes your library, with the places; nothing else is said.",
      placeHolder: "When is a deviation justified?",
      ignoreFocusOut: true,
    });
    if (question !== undefined && question.trim() !== "") {
      await this.answer(client, { question: question.trim(), thread: chosen.thread, after: chosen.after });
    }
  };

  /** Shows the answer to a question as it grows, under the turns of its thread that come before it. */
  readonly answer = async (
    client: LexlsClient,
    given: Commands["lexls.ask"]["argument"],
  ): Promise<Asked | null | undefined> => {
    const argument = { ...given, uri: given.uri ?? draft(client) };
    const { thread, after } = argument;
    const before = thread === undefined ? undefined : await this.#read(client, thread, after);
    const above = `${before === undefined ? "" : `${before.markdown}\n\n`}## ${escape(argument.question)}\n\n`;
    const show = this.pages.growing(PAGE);
    let latest = above;
    await show({ markdown: above }, argument.question);
    const asked = await answer(client, "lexls.ask", argument, "lexls: answering", ({ markdown, title }) => {
      latest = `${above}${markdown}`;
      void show({ markdown: latest }, title);
    });
    if (asked === undefined) {
      await show({ markdown: cancelled(latest) }, argument.question);
    } else if (isAnswer(asked)) {
      const sentences = [...(before?.sentences ?? []), ...asked.sentences];
      await this.#show({ ...asked, markdown: `${above}${asked.markdown}`, sentences }, show);
    }
    return asked;
  };

  /** Offers the stored threads, and what can be done with the one chosen. */
  readonly threads = async (client: LexlsClient): Promise<void> => {
    const threads = await client.execute("lexls.threads", { uri: draft(client) });
    if (threads.length === 0) {
      void vscode.window.showInformationMessage("lexls: nothing was asked in this workspace yet.");
      return;
    }
    const options = { title: "Threads", placeHolder: "Questions asked in this workspace; type to filter." };
    const chosen = await vscode.window.showQuickPick(threads.map(entry), options);
    if (chosen !== undefined) {
      await this.#act(client, chosen.value);
    }
  };

  /** Puts a sentence of an answer, or the words at an address, at the cursor of the draft with its citation. */
  readonly insert = async (client: LexlsClient, argument?: Insertion): Promise<void> => {
    const editor = draftEditor() ?? this.#draft;
    if (argument === undefined || editor === undefined || editor.document.isClosed) {
      void vscode.window.showInformationMessage("lexls: open the draft and put the cursor where the sentence goes.");
      return;
    }
    const { code2ProtocolConverter: given, protocol2CodeConverter: got } = client;
    const place = parseAddress(argument.address);
    const answered = await client.execute("lexls.insertSentence", {
      uri: given.asUri(editor.document.uri),
      position: given.asPosition(editor.selection.active),
      source: { uri: given.asUri(place.uri), range: given.asRange(place.range) },
      text: argument.text,
    });
    const edit = answered === null ? undefined : await got.asWorkspaceEdit(answered.edit);
    if (edit === undefined || !(await vscode.workspace.applyEdit(edit))) {
      void vscode.window.showErrorMessage("lexls: the sentence could not be inserted.");
      return;
    }
    await vscode.window.showTextDocument(editor.document, editor.viewColumn);
  };

  async #act(client: LexlsClient, summary: ThreadSummary): Promise<void> {
    const { thread, title } = summary;
    const actions: Choice<() => Promise<unknown>>[] = [
      { label: "$(open-preview) Open", value: () => this.#openThread(client, thread) },
      { label: "$(comment) Ask Further…", value: () => this.ask(client, { thread, title }) },
      {
        label: "$(git-branch) Branch…",
        description: "ask something else after an earlier question",
        value: () => this.#branch(client, thread, title),
      },
      { label: "$(trash) Delete…", value: () => this.#delete(client, summary) },
    ];
    await (await vscode.window.showQuickPick(actions, { title }))?.value();
  }

  async #openThread(client: LexlsClient, thread: string): Promise<void> {
    await this.#show(await this.#read(client, thread));
  }

  async #branch(client: LexlsClient, thread: string, title: string): Promise<void> {
    const { turns } = await this.#read(client, thread);
    const items = turns.map(({ turn, question }): Choice<number> => ({ label: question, value: turn }));
    const chosen = await vscode.window.showQuickPick(items, { title, placeHolder: "After which question?" });
    if (chosen !== undefined) {
      await this.ask(client, { thread, after: chosen.value, title });
    }
  }

  async #delete(client: LexlsClient, { thread, title }: ThreadSummary): Promise<void> {
    const yes = "Delete";
    const detail = "Its questions and answers are deleted from this machine.";
    const asked = `Delete the thread “${title}”?`;
    const sure = await vscode.window.showWarningMessage(asked, { modal: true, detail }, yes);
    if (sure !== yes) {
      return;
    }
    const { deleted } = await client.execute("lexls.deleteThread", { thread, uri: draft(client) });
    if (this.#open?.thread === thread) {
      this.#open = undefined;
      await this.pages.update(PAGE, { markdown: "_This thread was deleted._" });
    }
    const said = deleted ? "was deleted" : "was gone already";
    void vscode.window.showInformationMessage(`lexls: the thread “${title}” ${said}.`);
  }

  /** Where the question goes: asked only if there is a thread that it could continue. */
  async #choosePlace(client: LexlsClient): Promise<Place | undefined> {
    const open = this.pages.isOpen(PAGE) ? this.#open : undefined;
    const threads = await client.execute("lexls.threads", { uri: draft(client) });
    if (open === undefined && threads.length === 0) {
      return {};
    }
    const items: Choice<Place>[] = [{ label: "$(add) New Thread", value: {} }];
    if (open !== undefined) {
      items.push({ label: `$(comment) ${open.title}`, description: "the thread on the page", value: open });
    }
    const others = threads.filter(({ thread }) => thread !== open?.thread).slice(0, RECENT);
    items.push(...others.map(each => ({ ...entry(each), label: `$(comment) ${each.title}` })));
    const options = { title: "Ask the Library", placeHolder: "In a new thread, or further in one of these?" };
    return (await vscode.window.showQuickPick(items, options))?.value;
  }

  #read(client: LexlsClient, thread: string, turn?: number): Promise<Thread> {
    return client.execute("lexls.thread", { thread, turn, uri: draft(client) });
  }

  async #show(
    { thread, title, markdown, generator, sentences = [] }: Pick<Asked, "thread" | "title" | "markdown"> & Partial<Asked>,
    show = this.pages.growing(PAGE),
  ): Promise<void> {
    const open = thread === null ? undefined : { thread, title };
    const more = generator === "extractive" ? [ADD_MODEL] : [];
    const insertable = offerInsertion(markdown, sentences);
    if (await show({ markdown: insertable, next: [...(open ? next(open) : []), ...more] }, title)) {
      this.#open = open;
    }
  }
}

/** Offered below what no model wrote. */
const ADD_MODEL = { title: "Have a language model word answers", command: "lexls.addModel" };

function next(place: Place): vscode.Command[] {
  return [
    { title: "Ask further", command: "lexls.askLibrary", arguments: [place] },
    { title: "Threads", command: "lexls.showThreads" },
  ];
}

function entry(summary: ThreadSummary): Choice<ThreadSummary> {
  const { title, turns, changed } = summary;
  const when = new Date(changed).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
  const asked = turns === 1 ? "1 question" : `${turns} questions`;
  return { label: title, description: `${asked} · ${when}`, value: summary };
}

/** What is inserted: the words at an address, or the sentence `text` that rests on them. */
interface Insertion {
  readonly address: string;
  readonly text: string;
}

const PIN = /^> — \[.*\]\(<(file:[^<>\n]*#L\d+,\d+-L\d+,\d+)>\).*$/gm;

/** Markdown of answers with a link behind each source that inserts what rests on it. */
function offerInsertion(markdown: string, sentences: readonly Sentence[]): string {
  const worded = new Map(
    sentences
      .filter(({ extract }) => !extract)
      .flatMap(({ text, pins }) =>
        pins.flatMap(({ target }) => (target === null ? [] : [[writeAddress(target), text] as const])),
      ),
  );
  return markdown.replace(PIN, (line, address: string) => {
    const insertion: Insertion = { address, text: worded.get(address) ?? "" };
    return `${line} · [Insert with citation](${commandLink(INSERT, insertion)})`;
  });
}

/** The draft that a question is asked beside: it decides whose library answers. */
function draft(client: LexlsClient): string | undefined {
  const beside = draftEditor();
  return beside && client.code2ProtocolConverter.asUri(beside.document.uri);
}

function draftEditor(): vscode.TextEditor | undefined {
  const editors = [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors];
  return editors.find(editor => editor !== undefined && isDraft(editor.document));
}
