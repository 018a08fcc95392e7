/** Names of messages in the log, when `lexls.trace.server` asks for them. */
import * as vscode from "vscode";

/**
 * The log as the language client wants it for tracing: the client traces while the log level is "Trace", and writes
 * at that level. Here the setting stands for the level, and what is traced is written at the level "Info".
 */
export function messageTrace(log: vscode.LogOutputChannel): vscode.LogOutputChannel {
  const level = () =>
    vscode.workspace.getConfiguration("lexls").get("trace.server") === "messages"
      ? vscode.LogLevel.Trace
      : vscode.LogLevel.Info;
  const onDidChangeLogLevel: vscode.Event<vscode.LogLevel> = (listener, self, disposables) =>
    vscode.workspace.onDidChangeConfiguration(
      event => {
        if (event.affectsConfiguration("lexls.trace")) {
          listener.call(self, level());
        }
      },
      undefined,
      disposables,
    );
  return Object.create(log, {
    logLevel: { get: level },
    onDidChangeLogLevel: { value: onDidChangeLogLevel },
    trace: { value: (message: string, ...more: unknown[]) => log.info(message, ...more) },
  }) as vscode.LogOutputChannel;
}
