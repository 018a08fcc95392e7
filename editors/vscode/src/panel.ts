/** The one frame of lexls' webviews: what they may load, how they look, what they and the extension tell each other. */
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";

/** What a webview's script says when it begins, and again whenever VS Code has built its page anew. */
interface Ready {
  readonly ready: true;
}

export interface ViewOptions<To, From> {
  /** Its script in `src/webview`, without the suffix; the styles that it imports go with it. */
  readonly script: string;
  /** What a screen reader calls it. */
  readonly label: string;
  /** What the script is told when it begins: all it needs to show what is to be seen. */
  readonly told: () => readonly To[];
  readonly heard: (message: From) => void;
  /** The commands that its links may run. */
  readonly commands?: readonly string[];
}

/** One webview, that of a panel, a custom editor or a view in a side bar, from its making to its end. */
export class View<To, From> implements vscode.Disposable {
  readonly #listening: vscode.Disposable;
  #ready = false;

  constructor(
    private readonly webview: vscode.Webview,
    extension: vscode.Uri,
    { script, label, told, heard, commands = [] }: ViewOptions<To, From>,
  ) {
    const folder = vscode.Uri.joinPath(extension, "dist", "webview");
    webview.options = { enableScripts: true, enableCommandUris: commands, localResourceRoots: [folder] };
    this.#listening = webview.onDidReceiveMessage((message: From | Ready) => {
      if (!isReady(message)) {
        heard(message);
        return;
      }
      this.#ready = true;
      for (const each of told()) {
        this.tell(each);
      }
    });
    const bundled = (suffix: string) => webview.asWebviewUri(vscode.Uri.joinPath(folder, `${script}.${suffix}`));
    webview.html = frame(label, bundled("js").toString(), bundled("css").toString());
  }

  /** Tells the script something; before it has begun nothing need be told that `told` does not tell then. */
  tell(message: To): void {
    if (this.#ready) {
      void this.webview.postMessage(message);
    }
  }

  dispose(): void {
    this.#listening.dispose();
  }
}

/** A panel for a `View`. It stays as it is while another tab hides it; the draft keeps the focus if that is wanted. */
export function openPanel(
  type: string,
  title: string,
  where: { readonly viewColumn: vscode.ViewColumn; readonly preserveFocus?: boolean },
): vscode.WebviewPanel {
  return vscode.window.createWebviewPanel(type, title, where, { retainContextWhenHidden: true });
}

/**
 * Has `revive` fill the panels of a type that were open when the window was closed or loaded anew, each with what its
 * script kept (`keep` in `src/webview/common/frame.ts`). package.json names the type in an `onWebviewPanel:` event.
 */
export function restorePanels<Kept>(
  type: string,
  revive: (panel: vscode.WebviewPanel, kept: Kept | undefined) => void | Promise<void>,
): vscode.Disposable {
  return vscode.window.registerWebviewPanelSerializer(type, {
    deserializeWebviewPanel: async (panel, kept: Kept | undefined) => revive(panel, kept),
  });
}

function isReady(message: unknown): message is Ready {
  return typeof message === "object" && message !== null && "ready" in message;
}

/** A page that loads our script and our style and nothing else: no picture, no font, no frame, no address. */
function frame(label: string, script: string, style: string): string {
  const nonce = randomBytes(16).toString("hex");
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-${nonce}';
  script-src 'nonce-${nonce}'; form-action 'none'; base-uri 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${html(label)}</title>
<link rel="stylesheet" nonce="${nonce}" href="${html(style)}">
</head>
<body>
<main tabindex="-1" aria-label="${html(label)}"></main>
<script nonce="${nonce}" src="${html(script)}"></script>
</body>
</html>`;
}

/** Text as HTML that says just that, in an attribute, too. */
function html(text: string): string {
  const signs: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replace(/[&<>"]/g, sign => signs[sign] ?? sign);
}
