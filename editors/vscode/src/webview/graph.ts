/** The citation graph: what is cited to the left, what cites to the right, both in columns by date, and as a list. */
import type { FromGraph, GraphNode, GraphSide, ToGraph } from "../messages/graph";
import { connect, element, main } from "./common/frame";
import { Camera, type Box } from "./graph/camera";
import { layOut, type Placed } from "./graph/columns";
import "./graph.css";

const SVG = "http://www.w3.org/2000/svg";
/** Three columns can be read in half a window. */
const WIDTH = 220;
const HEIGHT = 52;
const MARGIN = 16;

const { send, keep } = connect<ToGraph, FromGraph, ToGraph>(graph => {
  keep(graph);
  show(graph);
});

function show(graph: ToGraph): void {
  const placed = layOut(graph, { width: WIDTH, height: HEIGHT });
  const picture = svg("svg", { role: "group", "aria-label": describe(graph) });
  const left = Math.min(...placed.map(each => each.x)) - MARGIN;
  const top = Math.min(...placed.map(each => each.y)) - 50;
  const middle = placed.find(each => each.side === "middle") as Placed;
  const whole = {
    x: left,
    y: top,
    width: Math.max(...placed.map(each => each.x)) + WIDTH + MARGIN - left,
    height: Math.max(...placed.map(each => each.y)) + HEIGHT + MARGIN - top,
  };
  const camera = new Camera(picture, whole, box(middle));
  const nodes = placed.map(each => draw(each));
  picture.append(...placed.filter(each => each !== middle).map(each => edge(each, middle)), ...headings(placed), ...nodes);
  const frame = element("div", { class: "graph" });
  frame.append(picture);
  main.replaceChildren(header(graph, camera), frame, list(graph));
  camera.begin();
  camera.follow(frame);
  move(picture, camera, placed, nodes);
  (nodes[placed.indexOf(middle)] as SVGElement).focus({ preventScroll: true });
}

function box({ x, y }: Placed): Box {
  return { x, y, width: WIDTH, height: HEIGHT };
}

function describe({ middle, cites, citedBy }: ToGraph): string {
  return `${middle.title} cites ${cites.count} and is cited by ${citedBy.count} of your library`;
}

function header(graph: ToGraph, camera: Camera): HTMLElement {
  const { middle, cites, citedBy, absent, warning } = graph;
  const button = (label: string, name: string, run: () => void) => {
    const made = element("button", { type: "button", title: name, "aria-label": name }, label);
    made.addEventListener("click", run);
    return made;
  };
  const shown = (side: GraphSide) => (side.nodes.length < side.count ? `${side.nodes.length} of ${side.count}` : String(side.count));
  const missing = absent === 0 ? "" : `, and cites ${absent} that your library does not hold`;
  const said = `Cites ${shown(cites)} and is cited by ${shown(citedBy)} of your library${missing}.`;
  const made = element(
    "header",
    {},
    element("h1", {}, middle.name),
    button("−", "Zoom out (−)", () => camera.zoom(-1)),
    button("+", "Zoom in (+)", () => camera.zoom(1)),
    button("Show all", "Show all (0)", () => camera.fit()),
  );
  if (cites.nodes.length < cites.count || citedBy.nodes.length < citedBy.count) {
    made.append(button("More", "Show more authorities", () => send({ more: true })));
  }
  if (warning !== "") {
    made.append(element("p", { class: "warning" }, `⚠ ${warning}`));
  }
  made.append(element("p", {}, said), element("p", {}, "Enter opens an authority, Space puts it in the middle, arrow keys move."));
  return made;
}

/** The same as text. */
function list({ cites, citedBy, middle }: ToGraph): HTMLElement {
  const items = (side: GraphSide) =>
    element(
      "ul",
      {},
      ...side.nodes.map(each => {
        const open = element("button", { type: "button" }, tell(each));
        open.addEventListener("click", () => send({ open: each.authority }));
        return element("li", {}, open);
      }),
    );
  return element(
    "details",
    {},
    element("summary", {}, "As a list"),
    element("h2", {}, `${middle.title} cites`),
    items(cites),
    element("h2", {}, `Cited by`),
    items(citedBy),
  );
}

/** All that a node says, in a line. */
function tell({ name, treatment, count }: GraphNode): string {
  const times = count > 1 ? `${count} citations` : "";
  return [name, treatment, times].filter(part => part !== "").join(", ");
}

function draw({ node, side, x, y }: Placed): SVGGElement {
  const rest = [node.treatment, node.cited || String(node.year ?? ""), node.count > 1 ? `${node.count}×` : ""];
  const second = rest.filter(part => part !== "").join(" · ");
  // What is to be read stands in it as it is shown: so it can be said to a computer that listens.
  const label = `${{ left: "Cited: ", right: "Cites it: ", middle: "" }[side]}${node.title} ${second}`;
  const made = svg("g", {
    class: `node ${side}${node.bad ? " bad" : ""}`,
    transform: `translate(${x} ${y})`,
    role: "button",
    tabindex: side === "middle" ? "0" : "-1",
    "aria-label": label,
  });
  const title = svg("title", {});
  title.textContent = label;
  // HTML, which cuts what does not fit.
  const words = svg("foreignObject", { x: "10", y: "5", width: `${WIDTH - 18}`, height: `${HEIGHT - 8}` });
  const kind = node.treatment === "" ? "small" : "treatment small";
  words.append(element("div", {}, node.title), " ", element("div", { class: kind }, second));
  made.append(title, svg("rect", { width: `${WIDTH}`, height: `${HEIGHT}`, rx: "4" }), words);
  made.addEventListener("click", () => send({ open: node.authority }));
  made.addEventListener("keydown", event => {
    if (event.key === "Enter") {
      send({ open: node.authority });
    } else if (event.key === " ") {
      send({ center: node.authority });
    } else {
      return;
    }
    event.preventDefault();
  });
  return made;
}

function edge({ node, side, x, y }: Placed, middle: Placed): SVGPathElement {
  const [from, to] = side === "left" ? [x + WIDTH, middle.x] : [middle.x + WIDTH, x];
  const [start, end] = side === "left" ? [y, middle.y] : [middle.y, y];
  const half = (from + to) / 2;
  const [first, last] = [start + HEIGHT / 2, end + HEIGHT / 2];
  return svg("path", {
    class: `edge${node.bad ? " bad" : node.treatment === "" ? "" : " treated"}`,
    d: `M${from} ${first} C${half} ${first} ${half} ${last} ${to} ${last}`,
  });
}

/** The years of each column, above it. */
function headings(placed: readonly Placed[]): SVGTextElement[] {
  return [...inColumns(placed)].map(([x, nodes]) => {
    const years = nodes.map(each => each.node.year).filter(year => year !== null);
    const [first, last] = [Math.min(...years), Math.max(...years)];
    const span = years.length === 0 ? "" : first === last ? `${first}` : `${first}–${last}`;
    const what = { left: "Cited", right: "Citing", middle: "" }[(nodes[0] as Placed).side];
    const top = Math.min(...nodes.map(each => each.y));
    return text(x + 4, top - 12, "head", [what, span].filter(part => part !== "").join(" "));
  });
}

function inColumns(placed: readonly Placed[]): Map<number, Placed[]> {
  const found = new Map<number, Placed[]>();
  for (const each of placed) {
    found.set(each.x, [...(found.get(each.x) ?? []), each]);
  }
  return found;
}

// -- by keys --------------------------------------------------------------------------------------------------------

/** Arrow keys go to the nearest node in their direction; what gets the focus comes into view. */
function move(picture: SVGSVGElement, camera: Camera, placed: readonly Placed[], nodes: readonly SVGGElement[]): void {
  picture.addEventListener("focusin", () => {
    const at = nodes.indexOf(document.activeElement as SVGGElement);
    nodes.forEach((each, index) => each.setAttribute("tabindex", index === Math.max(at, 0) ? "0" : "-1"));
  });
  picture.addEventListener("keydown", event => {
    const next = nearest(placed, nodes.indexOf(document.activeElement as SVGGElement), event.key);
    if (next !== undefined) {
      (nodes[next] as SVGGElement).focus({ preventScroll: true });
      camera.bringIntoView(box(placed[next] as Placed));
    } else if (event.key === "+" || event.key === "=") {
      camera.zoom(1);
    } else if (event.key === "-") {
      camera.zoom(-1);
    } else if (event.key === "0") {
      camera.fit();
    } else if (!event.key.startsWith("Arrow")) {
      return;
    }
    event.preventDefault();
  });
}

function nearest(placed: readonly Placed[], at: number, key: string): number | undefined {
  const here = placed[at];
  const directions: Readonly<Record<string, readonly [number, number]>> = {
    ArrowLeft: [-1, 0],
    ArrowRight: [1, 0],
    ArrowUp: [0, -1],
    ArrowDown: [0, 1],
  };
  const [right, down] = directions[key] ?? [0, 0];
  if (here === undefined || (right === 0 && down === 0)) {
    return undefined;
  }
  let best: number | undefined;
  let least = Infinity;
  placed.forEach(({ x, y }, index) => {
    const [dx, dy] = [x - here.x, y - here.y];
    const ahead = dx * right + dy * down;
    // Up and down stay in their column; left and right take the next one.
    const distance = right === 0 ? (dx === 0 ? ahead : Infinity) : ahead * 4 + Math.abs(dy);
    if (ahead > 0 && distance < least) {
      [best, least] = [index, distance];
    }
  });
  return best;
}

// -- elements ---------------------------------------------------------------------------------------------------

function svg<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
): SVGElementTagNameMap[Name] {
  const made = document.createElementNS(SVG, name) as SVGElementTagNameMap[Name];
  for (const [attribute, value] of Object.entries(attributes)) {
    made.setAttribute(attribute, value);
  }
  return made;
}

function text(x: number, y: number, kind: string, words: string): SVGTextElement {
  const made = svg("text", { x: `${x}`, y: `${y}`, class: kind });
  made.textContent = words;
  return made;
}
