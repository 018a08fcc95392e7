/** A language model for answers: chosen from what runs here, what was fetched and what lexls knows, and put to use. */
import * as vscode from "vscode";
import { outputOf, type Found } from "./locate";
import { runLogged } from "./run";

/** What `lexls models list --json` prints. */
interface Listing {
  readonly models: readonly { readonly name: string; readonly path: string; readonly exists: boolean }[];
  readonly known: readonly {
    readonly name: string;
    readonly added: boolean;
    readonly about: string;
    readonly bytes: number;
    readonly memory_gigabytes: number;
    readonly licence: string;
    readonly measured: string | null;
  }[];
  readonly servers: readonly { readonly kind: string; readonly address: string; readonly models: readonly string[] }[];
}

interface Choice extends vscode.QuickPickItem {
  /** The settings that use it. */
  readonly settings: Readonly<Record<string, string>>;
  /** What has to be fetched first. */
  readonly fetch?: string;
}

/** What lexls says where nothing could run a model. */
const NO_RUNTIME = /pip install '(lexls\[[a-z-]+\])'/;

export class Models {
  constructor(
    /** Where lexls runs: a folder of our own. */
    private readonly storage: string,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  /** Offers the models, fetches the chosen one and sets it to explain; false if the user chose none. */
  async add(found: Found): Promise<boolean> {
    const listing = outputOf(found.command, [...found.args, "models", "list", "--json"], this.storage);
    const items = listing.then(text => choices(JSON.parse(text) as Listing));
    const placeHolder = "Which model shall write answers? lexls checks each of its sentences against your library.";
    const chosen = await vscode.window.showQuickPick(items, { title: "Language Models", placeHolder });
    if (chosen?.settings === undefined) {
      return false;
    }
    if (chosen.fetch !== undefined && !(await this.#fetch(found, chosen.fetch))) {
      return false;
    }
    const configuration = vscode.workspace.getConfiguration("lexls");
    for (const [key, value] of Object.entries(chosen.settings)) {
      await configuration.update(key, value, vscode.ConfigurationTarget.Global);
    }
    void vscode.window.showInformationMessage(`lexls: ${chosen.label} writes answers now.`);
    return true;
  }

  /** Fetches the small model that finds passages by meaning; whether it is there. */
  async getForMeaning(found: Found): Promise<boolean> {
    try {
      await this.#run("lexls: getting the model for search by meaning", found.command, [...found.args, "models", "get"]);
      return true;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (reason !== "cancelled") {
        const told = `The model could not be fetched; lexls goes on searching by words. ${reason}`;
        void vscode.window.showErrorMessage(told, "Show Log").then(answer => answer && this.log.show());
      }
      return false;
    }
  }

  async #fetch(found: Found, name: string): Promise<boolean> {
    try {
      const command = [...found.args, "models", "add", name, "--use"];
      await this.#run(`lexls: fetching ${name}`, found.command, command);
      return true;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const extra = NO_RUNTIME.exec(reason)?.[1];
      // Only of a Python is known where a package has to go.
      const install = extra !== undefined && found.args[0] === "-m" ? "Install llama.cpp" : undefined;
      const answer = await vscode.window.showErrorMessage(reason, ...(install ? [install] : []), "Show Log");
      if (answer === undefined) {
        return false;
      }
      if (answer !== install || extra === undefined) {
        this.log.show();
        return false;
      }
      if (!(await this.#install(found.command, extra))) {
        return false;
      }
    }
    return this.#fetch(found, name);
  }

  async #install(python: string, extra: string): Promise<boolean> {
    const command = ["-m", "pip", "install", "--disable-pip-version-check", "--no-input", extra];
    try {
      await this.#run("lexls: installing llama.cpp", python, command);
      return true;
    } catch (error) {
      void vscode.window.showErrorMessage(`lexls: llama.cpp could not be installed: ${String(error)}`);
      return false;
    }
  }

  async #run(title: string, command: string, args: readonly string[]): Promise<void> {
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    await vscode.window.withProgress(options, (progress, token) =>
      runLogged(command, args, this.storage, this.log, token, line => progress.report({ message: line.slice(0, 120) })),
    );
  }
}

function choices({ models, known, servers }: Listing): Choice[] {
  const running = servers.flatMap(({ kind, address, models }) =>
    models.map((name): Choice => ({
      label: name,
      description: `${kind}, running on this machine`,
      settings: { "explain.generator": "openai", "openai.baseUrl": address, "openai.model": name },
    })),
  );
  const added = models
    .filter(({ exists }) => exists)
    .map(({ name, path }): Choice => ({ label: name, description: path, settings: llama(name) }));
  const others = known
    .filter(({ added }) => !added)
    .map((each): Choice => ({
      label: each.name,
      description: `${size(each.bytes)} to fetch, about ${each.memory_gigabytes} GB of memory; ${each.licence}`,
      detail: each.measured === null ? each.about : `${each.about}. Measured: ${each.measured}`,
      settings: llama(each.name),
      fetch: each.name,
    }));
  return [...running, ...added, ...others];
}

function llama(name: string): Record<string, string> {
  return { "explain.generator": "llama", "llama.model": name };
}

function size(bytes: number): string {
  return bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
