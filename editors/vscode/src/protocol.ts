/** What lexls adds to the protocol: its status notification and the answers of its commands. */
import type { PagePassage } from "./messages/evidence";
import type { CodeAction, Location, Position, Range, WorkspaceEdit } from "vscode-languageclient/node";

/** The notification in which the server says what it is doing. */
export const STATUS = "lexls/status";

/** "lexical" is ready without vectors, "none" means that no library folder is set. */
export type Phase =
  | "starting" | "scanning" | "reading" | "ocr" | "embedding" | "paused" | "ready" | "lexical" | "failed" | "none";

export interface ServerStatus {
  readonly phase: Phase;
  /** How many of `total` are done; both are 0 where nothing is counted. */
  readonly done: number;
  readonly total: number;
  readonly message: string;
  /** How many there are to ask. */
  readonly authorities: number;
}

/** The notification that brings what an answer says so far, always the whole. */
export const ANSWER = "lexls/answer";

export interface AnswerUpdate {
  /** The `id` of the command's argument. */
  readonly id: string;
  readonly title: string;
  readonly markdown: string;
  readonly complete: boolean;
  readonly abstained: boolean;
}

/** What all commands that answer have in common. */
export interface Answer {
  readonly markdown: string;
  readonly abstained: boolean;
  /** Why the answer is not whole, "" if it is. The server has said so. */
  readonly failed: string;
  /** What wrote it, by the setting's word. */
  readonly generator: string;
}

/** An answer and where in the stored threads it stands; null where nothing was stored. */
export interface Asked extends Answer {
  readonly thread: string | null;
  readonly turn: number | null;
  readonly title: string;
}

/** A stored thread; `created` and `changed` are moments in ISO 8601, `turns` counts its questions. */
export interface ThreadSummary {
  readonly thread: string;
  readonly title: string;
  readonly created: string;
  readonly changed: string;
  readonly turns: number;
}

/** One question of a thread, and the turn that it follows. */
export interface Turn {
  readonly turn: number;
  readonly after: number | null;
  readonly question: string;
}

/** A stored thread, with the Markdown of the branch that ends at `turn`. */
export interface Thread {
  readonly thread: string;
  readonly title: string;
  readonly turn: number;
  readonly markdown: string;
  readonly turns: readonly Turn[];
}

/** What is undefined is not sent. */
type Maybe = string | undefined;

/** Arguments and answers of `workspace/executeCommand`, by command. */
export interface Commands {
  "lexls.findSupport": { argument: { uri: string; range: Range }; answer: Hit[] | null };
  "lexls.more": { argument: { uri: string; range: Range }; answer: CodeAction[] | null };
  "lexls.ignore": {
    argument: { uri: string; check?: string; authority?: string; words?: string; reason?: string };
    answer: { file: string; ignored: boolean };
  };
  "lexls.explain": {
    argument: { uri: string; id?: string; show?: boolean } & ({ position: Position } | { range: Range; authority?: number });
    answer: Answer | null;
  };
  "lexls.ask": {
    argument: { question: string; uri?: Maybe; thread?: Maybe; after?: number | undefined; id?: string };
    answer: Asked | null;
  };
  "lexls.contrary": {
    argument: { uri: string; range: Range; id?: string; show?: boolean };
    answer: Answer | null;
  };
  "lexls.draft": {
    argument: { uri: string; range: Range; id?: string };
    answer: (Answer & { applied: boolean; reason: string }) | null;
  };
  "lexls.threads": { argument: { uri?: Maybe }; answer: ThreadSummary[] };
  "lexls.thread": { argument: { thread: string; turn?: number | undefined; uri?: Maybe }; answer: Thread };
  "lexls.deleteThread": { argument: { thread: string; uri?: Maybe }; answer: { deleted: boolean } };
  "lexls.convertCitations": {
    argument: { uri: string; style?: string; range?: Range };
    answer: { converted: number; citations: number; applied: boolean } | null;
  };
  "lexls.tableOfAuthorities": {
    argument: { uri: string; position?: Position; pages?: boolean };
    answer: { applied: boolean; reason: string } | null;
  };
  "lexls.listLibrary": { argument: { folder?: Maybe }; answer: LibraryListing };
  "lexls.evidence": { argument: { uri: string; range: Range }; answer: PdfPassage | null };
  "lexls.status": { argument: undefined; answer: Record<string, unknown> | null };
  "lexls.reindex": { argument: undefined; answer: unknown };
  "lexls.pauseIndexing": { argument: undefined; answer: unknown };
  "lexls.resumeIndexing": { argument: undefined; answer: unknown };
  "lexls.addFolders": {
    argument: { folders: readonly string[]; uri?: Maybe };
    answer: { written: string | null; folders: readonly string[] };
  };
}

/** A passage on the pages of its PDF (`uri`); `page` is where it begins, `pages` is empty where it was not found. */
export interface PdfPassage {
  readonly uri: string;
  readonly title: string;
  readonly passage: string;
  readonly page: number;
  readonly pages: readonly PagePassage[];
}

/** What lies in a folder of the library. */
export interface LibraryListing {
  /** `count` is how many authorities a folder holds. */
  readonly folders: readonly { readonly path: string; readonly name: string; readonly count: number }[];
  /** `about` tells in Markdown what was read of an authority, and where. */
  readonly authorities: readonly {
    readonly uri: string;
    readonly title: string;
    readonly citation: string;
    readonly kind: string;
    readonly about: string;
  }[];
  readonly unread: readonly { readonly path: string; readonly name: string; readonly reason: string }[];
}

/** An authority that supports a proposition. */
export interface Hit {
  /** Its number, for lexls.explain. */
  readonly authority: number;
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
