/** The citation graph of one authority, in a panel beside the draft. */
import * as vscode from "vscode";
import type { LexlsClient } from "./client";
import type { Evidence } from "./evidence";
import type { FromGraph, GraphNode, ToGraph } from "./messages/graph";
import { openPanel, restorePanels, View } from "./panel";
import type { AuthorityGraph, Commands, GraphAuthority } from "./protocol";

/** The type of the panel. */
const PANEL = "lexls.graph";
/** So many more are shown on either side at a time. */
const STEP = 14;

type Argument = Commands["lexls.graph"]["argument"];

export class Graph implements vscode.Disposable {
  readonly #restoring: vscode.Disposable;
  #panel: vscode.WebviewPanel | undefined;
  #view: View<ToGraph, FromGraph> | undefined;
  #shown: AuthorityGraph | undefined;
  #most = STEP;

  constructor(
    private readonly extension: vscode.Uri,
    private readonly client: () => Promise<LexlsClient>,
    private readonly evidence: Evidence,
  ) {
    this.#restoring = restorePanels<ToGraph>(PANEL, (panel, kept) => {
      this.#adopt(panel);
      if (kept !== undefined) {
        void this.#center(kept.middle.authority);
      }
    });
  }

  dispose(): void {
    this.#restoring.dispose();
    this.#panel?.dispose();
  }

  /** Shows the graph of what was clicked in a tree, else of what is cited at the cursor. */
  readonly show = async (client: LexlsClient, node?: { authority?: { authority?: number | null } }): Promise<void> => {
    const clicked = node?.authority?.authority;
    const editor = vscode.window.activeTextEditor;
    const uri = editor && client.code2ProtocolConverter.asUri(editor.document.uri);
    if (typeof clicked === "number") {
      await this.#draw({ authority: clicked, uri });
    } else if (editor !== undefined && uri !== undefined) {
      await this.#draw({ uri, position: client.code2ProtocolConverter.asPosition(editor.selection.active) });
    } else {
      void vscode.window.showInformationMessage("lexls: open a draft and put the cursor on a citation.");
    }
  };

  async #draw(argument: Argument): Promise<void> {
    const client = await this.client();
    this.#most = "most" in argument && argument.most !== undefined ? argument.most : STEP;
    const drawn = await client.execute("lexls.graph", argument);
    if (drawn === null) {
      void vscode.window.showInformationMessage("lexls: there is no citation of your library’s authorities at the cursor.");
      return;
    }
    this.#shown = drawn;
    if (this.#panel === undefined) {
      this.#adopt(openPanel(PANEL, "Citation Graph", { viewColumn: vscode.ViewColumn.Beside }));
    } else {
      this.#panel.reveal();
    }
    if (this.#panel !== undefined) {
      this.#panel.title = `Citation Graph: ${drawn.title}`;
    }
    this.#view?.tell(message(drawn));
  }

  #center(authority: number, most = STEP): Promise<void> {
    return this.#draw({ authority, most });
  }

  #adopt(panel: vscode.WebviewPanel): void {
    this.#panel = panel;
    this.#view = new View<ToGraph, FromGraph>(panel.webview, this.extension, {
      script: "graph",
      label: "Citation graph",
      told: () => (this.#shown === undefined ? [] : [message(this.#shown)]),
      heard: said => void this.#hear(said),
    });
    panel.onDidDispose(() => {
      this.#view?.dispose();
      this.#view = this.#panel = this.#shown = undefined;
    });
  }

  async #hear(said: FromGraph): Promise<void> {
    if ("center" in said) {
      await this.#center(said.center);
    } else if ("more" in said) {
      await (this.#shown && this.#center(this.#shown.authority, this.#most + STEP));
    } else {
      const target = this.#find(said.open)?.target;
      if (target !== undefined && target !== null) {
        await this.evidence.show((await this.client()).protocol2CodeConverter.asLocation(target));
      }
    }
  }

  #find(authority: number): GraphAuthority | undefined {
    const shown = this.#shown;
    const all = shown === undefined ? [] : [...shown.citedBy.nodes, ...shown.cites.nodes, shown];
    return all.find(each => each.authority === authority);
  }
}

function message({ cites, citedBy, warning, absent, ...middle }: AuthorityGraph): ToGraph {
  const side = ({ count, nodes }: AuthorityGraph["cites"]) => ({
    count,
    nodes: nodes.map(each => node(each, each.treatment, each.bad, each.count)),
  });
  return { middle: node(middle, "", warning !== "", 0), warning, absent, cites: side(cites), citedBy: side(citedBy) };
}

function node(each: GraphAuthority, treatment: string, bad: boolean, count: number): GraphNode {
  const { authority, title, cited, name, year } = each;
  return { authority, title, cited, name, year, treatment: treatment === "cited" ? "" : treatment, bad, count };
}
