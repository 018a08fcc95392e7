/** What is seen of a picture that is larger than its place: zoomed, dragged, brought into view. */

/** A rectangle of the picture, in its own units. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const ZOOM = 1.25;
/** The picture begins at no less than this share of its size, so that it can be read. */
const SMALLEST = 0.75;
/** One pixel more than a hand trembles. */
const DRAGGED = 5;

export class Camera {
  #view: Box;

  /** `middle` is seen at the beginning, whatever else is. */
  constructor(
    private readonly picture: SVGSVGElement,
    private readonly whole: Box,
    private readonly middle: Box,
  ) {
    this.#view = whole;
  }

  /** Shows everything where that can be read, else what is around the middle. */
  begin(): void {
    this.fit();
    const { width, height } = this.picture.getBoundingClientRect();
    if (width > 0 && width / this.#view.width < SMALLEST) {
      const { x, y } = this.middle;
      const [wide, high] = [width / SMALLEST, height / SMALLEST];
      this.#look({
        x: x + (this.middle.width - wide) / 2,
        y: y + (this.middle.height - high) / 2,
        width: wide,
        height: high,
      });
    }
  }

  /** Shows everything, but no larger than its own size. */
  fit(): void {
    const { width, height } = this.picture.getBoundingClientRect();
    const { whole } = this;
    const scale = Math.max(whole.width / Math.max(width, 1), whole.height / Math.max(height, 1), 1);
    const [wide, high] = [width * scale || whole.width, height * scale || whole.height];
    this.#look({ x: whole.x - (wide - whole.width) / 2, y: whole.y - (high - whole.height) / 2, width: wide, height: high });
  }

  /** Goes nearer (1) or farther (-1); the point at these shares of the place (0 to 1) stays where it is. */
  zoom(direction: 1 | -1, across = 0.5, down = 0.5): void {
    const { x, y, width, height } = this.#view;
    const wanted = direction > 0 ? width / ZOOM : width * ZOOM;
    const wide = Math.min(Math.max(wanted, this.middle.width), Math.max(this.whole.width * 4, width));
    const high = (height * wide) / width;
    this.#look({ x: x + (width - wide) * across, y: y + (height - high) * down, width: wide, height: high });
  }

  bringIntoView({ x, y, width, height }: Box): void {
    const view = this.#view;
    this.#look({
      ...view,
      x: Math.min(Math.max(view.x, x + width + 10 - view.width), x - 10),
      y: Math.min(Math.max(view.y, y + height + 10 - view.height), y - 30),
    });
  }

  /** Follows the mouse in `frame`; what was dragged is not clicked. */
  follow(frame: HTMLElement): void {
    let from: { x: number; y: number } | undefined;
    let moved = 0;
    frame.addEventListener("pointerdown", ({ clientX, clientY }) => {
      from = { x: clientX, y: clientY };
      moved = 0;
    });
    frame.addEventListener("pointermove", ({ clientX, clientY, buttons }) => {
      if (from !== undefined && buttons === 1) {
        const [right, down] = [clientX - from.x, clientY - from.y];
        const scale = this.#view.width / Math.max(this.picture.getBoundingClientRect().width, 1);
        moved += Math.abs(right) + Math.abs(down);
        from = { x: clientX, y: clientY };
        this.#look({ ...this.#view, x: this.#view.x - right * scale, y: this.#view.y - down * scale });
      }
    });
    frame.addEventListener("click", event => moved > DRAGGED && event.stopPropagation(), { capture: true });
    const wheel = (event: WheelEvent) => {
      const { x, y, width, height } = this.picture.getBoundingClientRect();
      this.zoom(event.deltaY > 0 ? -1 : 1, (event.clientX - x) / width, (event.clientY - y) / height);
      event.preventDefault();
    };
    frame.addEventListener("wheel", wheel, { passive: false });
    new ResizeObserver(() => this.begin()).observe(frame);
  }

  #look(view: Box): void {
    this.#view = view;
    this.picture.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
  }
}
