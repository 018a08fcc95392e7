/** What is said about a sentence of a draft: why it is supported, what stands against it, how it might read. */
import * as vscode from "vscode";
import { answer, cancelled, isAnswer } from "./answers";
import type { LexlsClient } from "./client";
import type { Pages } from "./pages";
import type { Commands } from "./protocol";

type Explain = Commands["lexls.explain"]["argument"];
type Place = Commands["lexls.draft"]["argument"];

export class Explaining {
  constructor(private readonly pages: Pages) {}

  /** Shows why an authority supports a sentence; by default the one cited at the cursor. */
  readonly explain = async (client: LexlsClient, argument?: Explain): Promise<void> => {
    const place = argument ?? selection(client);
    if (place === undefined) {
      void vscode.window.showInformationMessage("lexls: open a draft and put the cursor on a citation.");
      return;
    }
    const page = { name: "Explanation", busy: "lexls: explaining", none: "there is no citation at the cursor" };
    await this.#page(client, "lexls.explain", place, page);
  };

  /** Shows what in the library stands against a sentence. */
  readonly contrary = async (client: LexlsClient, argument?: Place): Promise<void> => {
    const place = argument ?? selection(client);
    if (place === undefined) {
      sayWhere();
      return;
    }
    const busy = "lexls: looking for contrary authority";
    const page = { name: "Contrary Authority", busy, none: "the library is not open yet" };
    await this.#page(client, "lexls.contrary", place, page);
  };

  /** Has the server write a supported sentence into the draft. */
  readonly draft = async (client: LexlsClient, argument?: Place): Promise<void> => {
    const place = argument ?? selection(client);
    if (place === undefined) {
      sayWhere();
      return;
    }
    const drafted = await answer(client, "lexls.draft", place, "lexls: drafting a sentence");
    // Why nothing was inserted the server has said; what comes nearest is shown.
    if (isAnswer(drafted) && !drafted.applied && drafted.failed === "") {
      await this.pages.show("Draft", { markdown: drafted.markdown });
    }
  };

  async #page<C extends "lexls.explain" | "lexls.contrary">(
    client: LexlsClient,
    command: C,
    argument: Commands[C]["argument"],
    { name, busy, none }: { name: string; busy: string; none: string },
  ): Promise<void> {
    const show = this.pages.growing(name);
    let latest = "";
    const answered = await answer(client, command, { ...argument, show: true }, busy, ({ markdown }) => {
      latest = markdown;
      void show({ markdown });
    });
    if (answered === undefined && latest !== "") {
      await show({ markdown: cancelled(latest) });
    } else if (answered === null) {
      void vscode.window.showInformationMessage(`lexls: ${none}.`);
    } else if (answered !== undefined) {
      await show({ markdown: answered.markdown });
    }
  }
}

/** The selection of the active editor, or the place of its cursor. */
export function selection(client: LexlsClient): Place | undefined {
  const editor = vscode.window.activeTextEditor;
  return (
    editor && {
      uri: client.code2ProtocolConverter.asUri(editor.document.uri),
      range: client.code2ProtocolConverter.asRange(editor.selection),
    }
  );
}

export function sayWhere(): void {
  void vscode.window.showInformationMessage("lexls: open a draft and put the cursor in a sentence.");
}
