import type { CursorPicture } from '../cursor.js';
import css from '../Desktop.module.css';
import type { Viewport } from '../viewport.js';
import type { Point } from './gestures.js';
import type { Place } from './pointer.js';

/** An arrow whose tip is at its left top. */
const ARROW = 'M1 1v17l4.5-4 2.7 6.2 3-1.3-2.7-6.1H15z';
const SVG = 'http://www.w3.org/2000/svg';
/** Smallest scale of the device's pointer: it must be seen. */
const SMALLEST = 0.6;

function arrow(): SVGElement {
  const picture = document.createElementNS(SVG, 'svg');
  picture.setAttribute('width', '18');
  picture.setAttribute('height', '24');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', ARROW);
  picture.append(path);
  return picture;
}

/** Marks on the picture: where a long press is, and the pointer of the trackpad. */
export class TouchMarks {
  private readonly mark = document.createElement('div');
  private readonly pointer = document.createElement('div');
  private picture: CursorPicture | null = null;

  constructor(private readonly viewport: Viewport) {
    this.mark.className = css.mark ?? '';
    this.pointer.className = css.pointer ?? '';
    this.pointer.dataset.pointer = '';
    this.mark.dataset.held = '';
    this.pointer.append(arrow());
  }

  /** Marks a point of the page; null removes the mark. */
  hold(at: Point | null): void {
    if (at === null) return this.mark.remove();
    const { host } = this.viewport;
    const { left, top } = host.getBoundingClientRect();
    this.mark.style.left = `${at.x - left + host.scrollLeft}px`;
    this.mark.style.top = `${at.y - top + host.scrollTop}px`;
    host.append(this.mark);
  }

  /** Gives the pointer the picture of the device's; null: an arrow. */
  shape(picture: CursorPicture | null): void {
    this.picture = picture;
    if (picture === null) return this.pointer.replaceChildren(arrow());
    const image = document.createElement('img');
    image.alt = '';
    image.src = picture.address;
    this.pointer.replaceChildren(image);
  }

  /** Shows the pointer at a place of the display; null hides it. */
  point(place: Place | null): void {
    if (place === null) return this.pointer.remove();
    const { canvas, host, scale } = this.viewport;
    this.pointer.style.left = `${canvas.offsetLeft + place.x * canvas.clientWidth}px`;
    this.pointer.style.top = `${canvas.offsetTop + place.y * canvas.clientHeight}px`;
    const { x, y } = this.picture ?? { x: 1, y: 1 };
    this.pointer.style.transformOrigin = `${x}px ${y}px`;
    this.pointer.style.transform = `translate(${-x}px, ${-y}px) scale(${this.picture === null ? 1 : Math.max(SMALLEST, scale)})`;
    if (!this.pointer.isConnected) host.append(this.pointer);
  }
}
