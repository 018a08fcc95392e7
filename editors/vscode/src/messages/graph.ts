/** What the citation graph and its webview say to each other. */

/** An authority of the graph; `treatment` is how the one treats the other, "" for the one in the middle. */
export interface GraphNode {
  readonly authority: number;
  readonly title: string;
  /** What stands behind the title, and both together. */
  readonly cited: string;
  readonly name: string;
  readonly year: number | null;
  readonly treatment: string;
  /** Whether the treatment warns one off. */
  readonly bad: boolean;
  /** How many citations there are. */
  readonly count: number;
}

/** The most important of one side in the order of their dates, and how many there are in all. */
export interface GraphSide {
  readonly count: number;
  readonly nodes: readonly GraphNode[];
}

/** Shows a graph. */
export interface ToGraph {
  readonly middle: GraphNode;
  /** How the library treats it badly, or "". */
  readonly warning: string;
  readonly cites: GraphSide;
  readonly citedBy: GraphSide;
  /** How many of its citations name what the library does not hold. */
  readonly absent: number;
}

export type FromGraph =
  /** Opens an authority where it cites the one in the middle, else at its beginning. */
  | { readonly open: number }
  /** Puts an authority in the middle. */
  | { readonly center: number }
  /** Shows more on both sides. */
  | { readonly more: true };
