/** Places the nodes of a citation graph in columns by date. */
import type { GraphNode, ToGraph } from "../../messages/graph";

/** A node with its upper left corner. */
export interface Placed {
  readonly node: GraphNode;
  readonly side: "left" | "middle" | "right";
  readonly x: number;
  readonly y: number;
}

/** The most nodes of a column. */
const MOST = 8;
const BETWEEN_COLUMNS = 56;
const BETWEEN_ROWS = 14;

/** What is cited stands left of the middle and what cites it to the right, the oldest on the far left. */
export function layOut({ middle, cites, citedBy }: ToGraph, size: { width: number; height: number }): Placed[] {
  const step = size.width + BETWEEN_COLUMNS;
  const left = split(cites.nodes);
  const right = split(citedBy.nodes);
  const column = (nodes: readonly GraphNode[], x: number, side: Placed["side"]): Placed[] => {
    const high = nodes.length * (size.height + BETWEEN_ROWS) - BETWEEN_ROWS;
    return nodes.map((node, row) => ({ node, side, x, y: row * (size.height + BETWEEN_ROWS) - high / 2 }));
  };
  return [
    ...left.flatMap((nodes, number) => column(nodes, (number - left.length) * step, "left")),
    ...column([middle], 0, "middle"),
    ...right.flatMap((nodes, number) => column(nodes, (number + 1) * step, "right")),
  ];
}

/** Nodes in the order of their dates, in as few columns as hold them, of about the same length. */
function split(nodes: readonly GraphNode[]): GraphNode[][] {
  const columns = Math.ceil(nodes.length / MOST);
  const each = Math.ceil(nodes.length / Math.max(columns, 1));
  return Array.from({ length: columns }, (_, number) => nodes.slice(number * each, (number + 1) * each));
}
