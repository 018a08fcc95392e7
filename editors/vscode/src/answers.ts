/** Answers that take a while: shown on a page as they grow, with progress that can be cancelled. */
import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import type { LexlsClient } from "./client";
import { ANSWER, type Answer, type AnswerUpdate, type Commands } from "./protocol";

/** An answer that is there sooner is not announced. */
const PATIENCE_MILLISECONDS = 500;

/** The commands whose answers grow. */
type Answering = "lexls.explain" | "lexls.ask" | "lexls.contrary" | "lexls.draft";

/**
 * Has the server answer; `grown` gets what the answer says so far, each time that it says more.
 *
 * Undefined when the user cancelled; null when the library is not open yet, or nothing is there to be explained.
 */
export async function answer<C extends Answering>(
  client: LexlsClient,
  command: C,
  argument: Commands[C]["argument"],
  title: string,
  grown?: (update: AnswerUpdate) => void,
): Promise<Commands[C]["answer"] | undefined> {
  const id = randomUUID();
  const cancellation = new vscode.CancellationTokenSource();
  const updates = client.onNotification(ANSWER, (update: AnswerUpdate) => {
    if (update.id === id && !cancellation.token.isCancellationRequested) {
      grown?.(update);
    }
  });
  let message = "";
  const told = new vscode.EventEmitter<string>();
  const { WorkDoneProgress } = await import("./client.js");
  const reports = client.onProgress(WorkDoneProgress.type, id, report => {
    if (report.kind !== "end" && report.message !== undefined) {
      message = report.message;
      told.fire(message);
    }
  });
  let settled = false;
  const answered = client.execute(command, { ...argument, id }, cancellation.token, id);
  const done = answered.then(
    () => (settled = true),
    () => (settled = true),
  );
  try {
    await Promise.race([done, new Promise(resolve => setTimeout(resolve, PATIENCE_MILLISECONDS))]);
    if (!settled) {
      const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
      await vscode.window.withProgress(options, async (shown, cancelled) => {
        shown.report({ message });
        told.event(each => shown.report({ message: each }));
        const gaveUp = new Promise(resolve => cancelled.onCancellationRequested(resolve));
        await Promise.race([done, gaveUp]);
        if (!settled) {
          cancellation.cancel();
        }
      });
    }
    return cancellation.token.isCancellationRequested ? undefined : await answered;
  } finally {
    updates.dispose();
    reports.dispose();
    told.dispose();
    cancellation.dispose();
  }
}

/** Whether there is an answer; says so where the library is not open yet. */
export function isAnswer<A extends Answer>(answered: A | null | undefined): answered is A {
  if (answered === null) {
    void vscode.window.showWarningMessage("lexls: the library is not open yet.");
  }
  return answered !== undefined && answered !== null;
}

/** What a page says when its answer was cancelled on the way. */
export function cancelled(markdown: string): string {
  return `${markdown.trimEnd()}\n\n_You stopped this answer before it was whole._`;
}
