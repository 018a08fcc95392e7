/** What lexls adds to the protocol: its status notification and the answers of its commands. */
import type { PagePassage } from "./messages/evidence";
import type { Signature } from "./messages/report";
import type { CodeAction, Location, Position, Range, WorkspaceEdit } from "vscode-languageclient/node";

/** The notification in which the server says what it is doing. */
export const STATUS = "lexls/status";

/** "lexical" is ready without vectors, "none" means that no library folder is set. */
export type Phase =
  | "starting" | "scanning" | "reading" | "citations" | "ocr" | "embedding" | "paused" | "ready" | "lexical" | "failed" | "none";

export interface ServerStatus {
  readonly phase: Phase;
  /** How many of `total` are done; both are 0 where nothing is counted. */
  readonly done: number;
  readonly total: number;
  readonly message: string;
  /** How many there are to ask. */
  readonly authorities: number;
}

/** The notification that counts the verdicts on the citations of an open draft. */
export const CHECKED = "lexls/checked";

export interface CheckedDraft {
  readonly uri: string;
  readonly version: number;
  /** "19 citations: 18 verified, 1 wrong". */
  readonly summary: string;
  /** How many citations have each verdict, without those that none has. */
  readonly counts: Readonly<Record<string, number>>;
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
  readonly sentences: readonly Sentence[];
}

/** A sentence of an answer and what it rests on; an `extract` is the words of its pin. */
export interface Sentence {
  readonly text: string;
  readonly extract: boolean;
  /** `target` is null where a stored sentence's words are not in the library any more. */
  readonly pins: readonly { readonly target: Location | null }[];
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
  readonly sentences: readonly Sentence[];
  readonly turns: readonly Turn[];
}

/** What is undefined is not sent. */
type Maybe = string | undefined;

/** Arguments and answers of `workspace/executeCommand`, by command. */
export interface Commands {
  "lexls.findSupport": { argument: { uri: string; range: Range; filter?: Filter }; answer: Hit[] | null };
  "lexls.authorities": { argument: { uri: string }; answer: CitedAuthority[] | null };
  "lexls.graph": {
    argument: ({ authority: number; uri?: Maybe } | { uri: string; position: Position }) & { most?: number };
    answer: AuthorityGraph | null;
  };
  "lexls.facets": { argument: { uri?: Maybe }; answer: Facets | null };
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
  "lexls.describeFile": {
    argument: { file: string; citations?: readonly string[] };
    answer: { file: string | null };
  };
  "lexls.listLibrary": { argument: { folder?: Maybe }; answer: LibraryListing };
  "lexls.insertSentence": {
    argument: { uri: string; position: Position; source: { uri: string; range: Range }; text: string };
    answer: { edit: WorkspaceEdit } | null;
  };
  "lexls.report": {
    argument: {
      uri: string;
      against?: readonly string[];
      signed?: Readonly<Record<string, Signature>>;
      folder?: string;
    };
    answer: { page: string } | null;
  };
  "lexls.filingLog": {
    argument: { uri: string; signed: Readonly<Record<string, Signature>>; folder: string; format: "json" | "pdf" };
    answer: { content: string } | null;
  };
  "lexls.book": {
    argument: { uri: string };
    /** `book` is the PDF in Base64. */
    answer: { book: string; pages: number; missing: readonly string[]; unlinked: number } | null;
  };
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
  /** `count` is how many authorities a folder holds, `unread` how many of its files are not read. */
  readonly folders: readonly {
    readonly path: string;
    readonly name: string;
    readonly count: number;
    readonly unread: number;
  }[];
  /** `about` tells in Markdown what was read of an authority, and where; `notes` what is odd about its file. */
  readonly authorities: readonly {
    readonly authority: number;
    readonly uri: string;
    readonly title: string;
    readonly citation: string;
    readonly kind: string;
    readonly notes: readonly string[];
    /** The file does not say which case it is. */
    readonly unclear: boolean;
    readonly about: string;
  }[];
  readonly unread: readonly { readonly path: string; readonly name: string; readonly reason: string }[];
}

export type Verdict = "verified" | "partly" | "identified" | "wrong" | "in-catalogue" | "not-in-library" | "not-checkable";

/** An authority that a draft cites, with the verdict of its worst place; `state` says the verdict in a word or two. */
export interface CitedAuthority {
  /** Tells it from the others as long as it is cited. */
  readonly id: string;
  /** Its number in the library, null where that does not hold it. */
  readonly authority: number | null;
  readonly title: string;
  /** What stands behind the title. */
  readonly cited: string;
  readonly kind: string;
  readonly verdict: Verdict;
  readonly state: string;
  readonly warning: string;
  readonly target: Location | null;
  readonly places: readonly CitedPlace[];
}

/** Where a draft cites an authority, and the passage there, where it is known. */
export interface CitedPlace {
  readonly range: Range;
  readonly text: string;
  readonly verdict: Verdict;
  readonly state: string;
  readonly reason: string;
  readonly remarks: readonly string[];
  readonly target: Location | null;
}

/** An authority of a citation graph, and where it is opened: where it cites the one in the middle, if it does. */
export interface GraphAuthority {
  readonly authority: number;
  readonly title: string;
  readonly cited: string;
  readonly name: string;
  readonly kind: string;
  readonly year: number | null;
  readonly target: Location | null;
}

/** The most important authorities on one side, in the order of their dates; `count` says how many there are. */
export interface GraphNeighbours {
  readonly count: number;
  readonly nodes: readonly (GraphAuthority & {
    readonly treatment: string;
    readonly bad: boolean;
    readonly count: number;
  })[];
}

/** An authority between what it cites and what cites it. */
export interface AuthorityGraph extends GraphAuthority {
  readonly warning: string;
  readonly cites: GraphNeighbours;
  readonly citedBy: GraphNeighbours;
  readonly absent: number;
}

/** Which authorities are wanted; dates may be cut (2014, 2014-03). */
export interface Filter {
  readonly courts?: readonly string[];
  readonly kinds?: readonly string[];
  readonly jurisdictions?: readonly string[];
  readonly from?: string;
  readonly to?: string;
}

/** A value that authorities are chosen by, and what is typed for it. */
export interface Facet {
  readonly value: string;
  readonly label: string;
  readonly typed: string;
  readonly count: number;
}

/** What the library's authorities can be chosen by, and their years. */
export interface Facets {
  readonly courts: readonly Facet[];
  readonly kinds: readonly Facet[];
  readonly jurisdictions: readonly Facet[];
  readonly first: number | null;
  readonly last: number | null;
}

/** An authority that supports a proposition. */
export interface Hit {
  /** Its number, for lexls.explain. */
  readonly authority: number;
  readonly title: string;
  /** What stands behind the title where it is cited: citation, place, court and year. */
  readonly cited: string;
  /** The sentence of the passage that bears most. */
  readonly quote: string;
  /** How the library treats the authority badly, "" if it does not. */
  readonly warning: string;
  /** Why all that was found is too far from the sentence to rest on, "" if it is not. */
  readonly distance: string;
  /** Its citation as the draft writes it. */
  readonly written: string;
  /** Inserts the citation at its place in the draft: alone, with its words, in short (null: not cited before). */
  readonly edit: WorkspaceEdit;
  readonly quotationEdit: WorkspaceEdit;
  readonly shortEdit: WorkspaceEdit | null;
  /** Where the sentence stands. */
  readonly target: Location;
}
