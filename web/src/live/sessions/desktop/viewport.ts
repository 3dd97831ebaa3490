import css from './Desktop.module.css';
import { shownSize, type Size, type Zoom } from './shown-size.js';

/** The element of a desktop: its canvas, sized to its place, and the field that takes the keys. */
export class Viewport {
  readonly host = document.createElement('div');
  readonly canvas = document.createElement('canvas');
  readonly field = document.createElement('textarea');
  private readonly observer = new ResizeObserver(() => this.layOut());
  private display: Size | null = null;
  private shownZoom: Zoom = 'fit';

  constructor(label: string, fieldLabel: string) {
    this.host.className = css.host ?? '';
    this.host.dataset.ownKeys = '';
    this.canvas.className = css.canvas ?? '';
    this.canvas.role = 'img';
    this.canvas.ariaLabel = label;
    this.field.className = css.field ?? '';
    this.field.ariaLabel = fieldLabel;
    for (const name of ['autocomplete', 'autocapitalize', 'autocorrect']) this.field.setAttribute(name, 'off');
    this.field.spellcheck = false;
    this.host.append(this.canvas, this.field);
    this.observer.observe(this.host);
  }

  get zoom(): Zoom {
    return this.shownZoom;
  }

  set zoom(zoom: Zoom) {
    this.shownZoom = zoom;
    this.layOut();
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
  }

  private layOut(): void {
    if (this.display === null) return;
    const room = { width: this.host.clientWidth, height: this.host.clientHeight };
    const { width, height } = shownSize(this.display, room, this.shownZoom, devicePixelRatio);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    this.host.toggleAttribute('data-scrolls', this.shownZoom === 'actual');
  }
}
