/** What the scripts of all webviews begin with: messages, what is kept, and where the focus goes. */
import "./frame.css";

interface Host {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): Host;

export interface Connection<From, Kept> {
  /** Tells the extension something. */
  send(message: From): void;
  /** Keeps plain data, with which the panel is filled again when the window comes back. */
  keep(kept: Kept): void;
  readonly kept: Kept | undefined;
}

/** The element that everything is shown in. */
export const main = document.querySelector("main") as HTMLElement;

/** Begins: what the extension tells goes to `receive`, the first message being what is to be seen now. */
export function connect<To, From, Kept = undefined>(receive: (message: To) => void): Connection<From, Kept> {
  const host = acquireVsCodeApi();
  addEventListener("message", ({ data }: MessageEvent<To>) => receive(data));
  let last: HTMLElement | undefined;
  addEventListener("focusin", ({ target }) => {
    last = target instanceof HTMLElement ? target : last;
  });
  // A panel that gets the focus gives it to where it was before, so that the next key does what one expects.
  addEventListener("focus", () => {
    if (document.activeElement === null || document.activeElement === document.body) {
      (last?.isConnected === true ? last : main).focus({ preventScroll: true });
    }
  });
  host.postMessage({ ready: true });
  return {
    send: message => host.postMessage(message),
    keep: kept => host.setState(kept),
    get kept() {
      return host.getState() as Kept | undefined;
    },
  };
}

/** An element with attributes and children; text is text. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    made.setAttribute(attribute, value);
  }
  made.append(...children);
  return made;
}
