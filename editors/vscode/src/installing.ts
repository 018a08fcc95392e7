/** Asks whether lexls may be installed, does it, keeps it in step with the extension, and says what went wrong. */
import * as vscode from "vscode";
import { type ManagedEnvironment, NoPython } from "./environment";
import type { Located } from "./locate";

const NEVER_OFFER = "lexls.neverOfferEnvironment";
const PYTHONS = vscode.Uri.parse("https://www.python.org/downloads/");
const [TRY_AGAIN, SHOW_LOG, CHOOSE, GET] = ["Try Again", "Show Log", "Choose Python…", "Get Python"] as const;

const [INSTALLING, UPDATING] = ["Installing lexls", "Updating lexls"] as const;

export class Installer {
  #running: Promise<boolean> | undefined;

  constructor(
    private readonly environment: ManagedEnvironment,
    /** `lexls.server.python`, and the interpreter selected in the Python extension. */
    private readonly setting: () => string,
    private readonly interpreter: () => Promise<string | undefined>,
    private readonly asked: vscode.Memento,
    private readonly log: vscode.LogOutputChannel,
    /** Called when there is another lexls than before. */
    private readonly installed: () => Promise<void>,
  ) {}

  /** Tells that lexls was not found, and installs it if the user agrees. */
  async offer({ explicit, rejected }: Located): Promise<void> {
    if (explicit) {
      await this.#reportSetting(rejected);
      return;
    }
    if (this.asked.get(NEVER_OFFER, false)) {
      return;
    }
    const [install, never] = ["Install", "Don’t Ask Again"];
    const answer = await vscode.window.showInformationMessage(
      "lexls is not installed yet. Install it now, for this extension only? It takes about a minute.",
      install,
      "Not Now",
      never,
    );
    if (answer === never) {
      await this.asked.update(NEVER_OFFER, true);
    } else if (answer === install) {
      await this.install();
    }
  }

  /** Installs lexls, showing progress; whether it is there. Whoever asks meanwhile waits for the same. */
  install(): Promise<boolean> {
    return this.#once(vscode.ProgressLocation.Notification, INSTALLING);
  }

  /** Brings the environment in step with the extension, beside what runs. */
  async upgrade(): Promise<void> {
    if (await this.environment.isOutdated()) {
      await this.#once(vscode.ProgressLocation.Window, UPDATING);
    }
  }

  #once(location: vscode.ProgressLocation, title: string): Promise<boolean> {
    this.#running ??= this.#install(location, title).finally(() => (this.#running = undefined));
    return this.#running;
  }

  async #install(location: vscode.ProgressLocation, title: string): Promise<boolean> {
    const setting = this.setting();
    try {
      if (await this.environment.isGood(setting)) { // another window was faster
        await this.installed();
        return true;
      }
      await vscode.window.withProgress({ location, title, cancellable: true }, async (progress, token) => {
        const report = (message: string) => progress.report({ message });
        await this.environment.install(setting, await this.interpreter(), report, token);
      });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.log.error(`${title}: ${reason}`);
      if (reason !== "cancelled") {
        // Not awaited: whoever waits for lexls need not wait for an answer, too.
        const outcome = title === UPDATING ? "could not be updated, and goes on as it is" : "could not be installed";
        void this.#report(error, `lexls ${outcome}. ${reason}${/[.?!]$/.test(reason) ? "" : "."}`);
      }
      return false;
    }
    await this.installed();
    return true;
  }

  async #report(error: unknown, text: string): Promise<void> {
    const buttons = error instanceof NoPython ? [GET, CHOOSE, SHOW_LOG] : [TRY_AGAIN, SHOW_LOG];
    switch (await vscode.window.showErrorMessage(text, ...buttons)) {
      case GET:
        await vscode.env.openExternal(PYTHONS);
        break;
      case CHOOSE:
        await this.#choose();
        break;
      case TRY_AGAIN:
        await this.install();
        break;
      case SHOW_LOG:
        this.log.show();
        break;
    }
  }

  async #choose(): Promise<void> {
    const [python] = (await vscode.window.showOpenDialog({ title: "The Python to install lexls with", openLabel: "Use" })) ?? [];
    if (python !== undefined) {
      const configuration = vscode.workspace.getConfiguration("lexls.server");
      await configuration.update("python", python.fsPath, vscode.ConfigurationTarget.Global);
      await this.install();
    }
  }

  async #reportSetting(rejected: Located["rejected"]): Promise<void> {
    const reasons = rejected.map(({ origin, command, reason }) => `${origin} (${command}): ${reason}`).join("; ");
    const [install, settings] = ["Install lexls", "Open Settings"];
    // What lexls is installed from, but not what is started in its stead.
    const buttons = this.setting() === "" ? [settings, SHOW_LOG] : [install, settings, SHOW_LOG];
    const answer = await vscode.window.showErrorMessage(`lexls cannot be started: ${reasons}.`, ...buttons);
    if (answer === install) {
      await this.install();
    } else if (answer === settings) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "lexls.server");
    } else if (answer !== undefined) {
      this.log.show();
    }
  }
}
