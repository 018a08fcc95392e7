/** The interpreter selected in the Python extension, when that is installed. */
import * as vscode from "vscode";

interface PythonApi {
  readonly environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly path: string };
    resolveEnvironment(
      environment: unknown,
    ): Promise<{ readonly executable: { readonly uri: vscode.Uri | undefined } } | undefined>;
    readonly onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

async function api(): Promise<PythonApi | undefined> {
  const extension = vscode.extensions.getExtension<PythonApi>("ms-python.python");
  const exports = extension?.isActive === true ? extension.exports : await extension?.activate();
  return exports?.environments === undefined ? undefined : exports;
}

/** Its path; undefined without the extension, or when it knows none. */
export async function selectedInterpreter(): Promise<string | undefined> {
  const python = await api();
  if (python === undefined) {
    return undefined;
  }
  const resource = vscode.workspace.workspaceFolders?.[0]?.uri;
  const environment = await python.environments.resolveEnvironment(
    python.environments.getActiveEnvironmentPath(resource),
  );
  return environment?.executable.uri?.fsPath;
}

/** Calls back when another interpreter is selected. */
export async function onInterpreterChange(changed: () => void): Promise<vscode.Disposable> {
  const python = await api();
  return python?.environments.onDidChangeActiveEnvironmentPath(changed) ?? new vscode.Disposable(() => {});
}
