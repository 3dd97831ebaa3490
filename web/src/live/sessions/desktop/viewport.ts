import css from './Desktop.module.css';
import { type Place, placeOn } from './input/pointer.js';
import { shownSize, type Size, type Zoom } from './shown-size.js';

/** Largest size of a picture that fingers enlarge, against the one that it has by itself. */
const LARGEST = 4;
/** Share of the room that stays free around a place that is revealed. */
const MARGIN = 0.2;

/** A point of the page. */
interface Point {
  readonly x: number;
  readonly y: number;
}

/** The element of a desktop: its canvas, sized to its place, and the field that takes the keys. */
export class Viewport {
  readonly host = document.createElement('div');
  readonly canvas = document.createElement('canvas');
  readonly field = document.createElement('textarea');
  private readonly observer = new ResizeObserver(() => this.layOut());
  private density = matchMedia('all');
  private display: Size | null = null;
  private shownZoom: Zoom = 'fit';
  private magnification = 1;
  private kept: { readonly place: Place; readonly room: Size } | null = null;

  /** Called when the picture has got another size or place in its host. */
  onLayOut: (() => void) | null = null;

  constructor(label: string, fieldLabel: string) {
    this.host.className = css.host ?? '';
    this.host.dataset.ownKeys = '';
    // Places are counted from the left.
    this.host.dir = 'ltr';
    this.canvas.className = css.canvas ?? '';
    this.canvas.role = 'img';
    this.canvas.ariaLabel = label;
    this.field.className = css.field ?? '';
    this.field.ariaLabel = fieldLabel;
    for (const name of ['autocomplete', 'autocapitalize', 'autocorrect']) this.field.setAttribute(name, 'off');
    this.field.spellcheck = false;
    // On phones a keyboard would cover the picture with each focus. It has a button of its own.
    if (matchMedia('(any-pointer: coarse)').matches) this.field.inputMode = 'none';
    this.host.append(this.canvas, this.field);
    this.observer.observe(this.host);
    this.followDensity();
    // Browsers bring a field with the focus into sight, and would move the picture with it.
    this.host.addEventListener('scroll', () => {
      this.field.style.insetInlineStart = `${this.host.scrollLeft}px`;
      this.field.style.insetBlockEnd = `${-this.host.scrollTop}px`;
    });
  }

  get zoom(): Zoom {
    return this.shownZoom;
  }

  set zoom(zoom: Zoom) {
    this.shownZoom = zoom;
    this.magnification = 1;
    this.layOut();
  }

  /** True if the picture is larger than its place. */
  get canPan(): boolean {
    const { clientWidth, clientHeight } = this.host;
    return this.canvas.clientWidth > clientWidth + 1 || this.canvas.clientHeight > clientHeight + 1;
  }

  /** Pixels of the page for one of the display. */
  get scale(): number {
    return this.display === null ? 1 : this.canvas.clientWidth / this.display.width;
  }

  /** Enlarges the picture, or makes it smaller again. What was shown at a point of the page is shown at another one then. */
  magnify(factor: number, from: Point, to: Point): void {
    const { x, y } = this.placeAt(from);
    this.magnification = Math.min(LARGEST, Math.max(1, this.magnification * factor));
    this.layOut();
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    this.scroll({ x: left + x * width - to.x, y: top + y * height - to.y });
  }

  pan({ x, y }: Point): void {
    this.scroll({ x: -x, y: -y });
  }

  /** Keeps the size of the picture while a keyboard takes room from it, with this place in sight; null: no more. */
  keep(place: Place | null): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    this.kept = place === null ? null : { place, room: this.kept?.room ?? { width, height } };
    this.layOut();
  }

  /** The place on the display that is shown at a point of the page. */
  placeAt({ x, y }: Point): Place {
    return placeOn(this.canvas.getBoundingClientRect(), { clientX: x, clientY: y });
  }

  /** True if the picture is shown at a point of the page. */
  shows({ x, y }: Point): boolean {
    const { left, top, right, bottom } = this.canvas.getBoundingClientRect();
    return x >= left && x <= right && y >= top && y <= bottom;
  }

  /** Brings a place of the display into sight, and some of what is around it. */
  reveal({ x, y }: Place): void {
    const { clientWidth, clientHeight, scrollLeft, scrollTop } = this.host;
    const way = (at: number, start: number, room: number): number =>
      Math.min(0, at - start - room * MARGIN) + Math.max(0, at - start - room * (1 - MARGIN));
    const { offsetLeft, offsetTop, clientWidth: width, clientHeight: height } = this.canvas;
    this.scroll({ x: way(offsetLeft + x * width, scrollLeft, clientWidth), y: way(offsetTop + y * height, scrollTop, clientHeight) });
  }

  /** True if browser and page can draw in a worker. */
  static get isSupported(): boolean {
    return 'OffscreenCanvas' in globalThis && 'transferControlToOffscreen' in HTMLCanvasElement.prototype;
  }

  /** Gives the canvas to a worker. */
  handOver(): OffscreenCanvas {
    return this.canvas.transferControlToOffscreen();
  }

  show(display: Size): void {
    this.display = display;
    this.layOut();
  }

  /** Dims the picture: it shows the past. */
  set isDimmed(isDimmed: boolean) {
    this.canvas.toggleAttribute('data-last-picture', isDimmed);
  }

  set cursor(cursor: string) {
    this.canvas.style.cursor = cursor;
  }

  close(): void {
    this.observer.disconnect();
    this.density.removeEventListener('change', this.followDensity);
  }

  /** Lays the picture out again on a screen with other pixels: the window may keep its size there. */
  private readonly followDensity = (): void => {
    this.density.removeEventListener('change', this.followDensity);
    this.density = matchMedia(`(resolution: ${devicePixelRatio}dppx)`);
    this.density.addEventListener('change', this.followDensity);
    this.layOut();
  };

  private layOut(): void {
    if (this.display === null) return;
    const room = { width: this.host.clientWidth, height: this.host.clientHeight };
    // Another width is another way to hold the phone.
    if (this.kept !== null && this.kept.room.width !== room.width) this.kept = { ...this.kept, room };
    const { width, height } = shownSize(this.display, this.kept?.room ?? room, this.shownZoom, devicePixelRatio);
    this.canvas.style.width = `${width * this.magnification}px`;
    this.canvas.style.height = `${height * this.magnification}px`;
    this.host.toggleAttribute('data-magnified', this.magnification > 1);
    this.host.toggleAttribute('data-scrolls', this.shownZoom === 'actual' || this.magnification > 1);
    this.onLayOut?.();
    if (this.kept !== null) this.reveal(this.kept.place);
  }

  /** Moves the picture within its bounds. Marks at its edge reach beyond them. */
  private scroll({ x, y }: Point): void {
    const { host, canvas } = this;
    const within = (at: number, whole: number, room: number): number => Math.max(0, Math.min(at, whole - room));
    host.scrollTo(
      within(host.scrollLeft + x, canvas.clientWidth, host.clientWidth),
      within(host.scrollTop + y, canvas.clientHeight, host.clientHeight),
    );
  }
}
