/** What lexls adds to the protocol: its status notification and the answers of its commands. */
import type { Location, Position, Range, WorkspaceEdit } from "vscode-languageclient/node";

/** The notification in which the server says what it is doing. */
export const STATUS = "lexls/status";

export interface ServerStatus {
  /** "lexical" is ready without vectors, "none" means that no library folder is set. */
  readonly phase: "starting" | "scanning" | "reading" | "embedding" | "ready" | "lexical" | "failed" | "none";
  /** How many of `total` are done; both are 0 where nothing is counted. */
  readonly done: number;
  readonly total: number;
  readonly message: string;
}

/** Arguments and answers of `workspace/executeCommand`, by command. */
export interface Commands {
  "lexls.findSupport": { argument: { uri: string; range: Range }; answer: Hit[] | null };
  "lexls.explain": { argument: { uri: string; position: Position }; answer: { markdown: string } | null };
  "lexls.convertCitations": {
    argument: { uri: string; style?: string; range?: Range };
    answer: { converted: number; citations: number; applied: boolean } | null;
  };
  "lexls.tableOfAuthorities": {
    argument: { uri: string; position?: Position };
    answer: { applied: boolean; reason: string } | null;
  };
  "lexls.status": { argument: undefined; answer: Record<string, unknown> | null };
  "lexls.reindex": { argument: undefined; answer: unknown };
}

/** An authority that supports a proposition. */
export interface Hit {
  readonly title: string;
  readonly citation: string;
  readonly court: string;
  readonly date: string;
  readonly paragraph: string;
  readonly page: string;
  readonly kind: string;
  /** The passage that supports it. */
  readonly text: string;
  readonly path: string;
  readonly score: number;
  /** How the library treats the authority badly, "" if it does not. */
  readonly warning: string;
  /** Inserts the citation at its place in the draft. */
  readonly edit: WorkspaceEdit;
  /** Where the passage stands. */
  readonly target: Location;
}
