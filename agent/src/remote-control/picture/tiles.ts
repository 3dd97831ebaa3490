import type { Rectangle } from '../platform.js';

/** Width and height of a tile in pixels. */
const TILE = 64;
const PIXEL_BYTES = 4;
/** From so many rectangles on, one that holds them all costs less. */
const MANY_RECTANGLES = 48;

/** Marks on the tiles of a display. */
export class TileMarks {
  readonly columns: number;
  readonly rows: number;
  private readonly marks: Uint8Array;
  private count = 0;

  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    this.columns = Math.ceil(width / TILE);
    this.rows = Math.ceil(height / TILE);
    this.marks = new Uint8Array(this.columns * this.rows);
  }

  get isEmpty(): boolean {
    return this.count === 0;
  }

  set(column: number, row: number): void {
    const index = row * this.columns + column;
    this.count += 1 - this.marks[index];
    this.marks[index] = 1;
  }

  /** Marks the tiles that a rectangle touches. */
  add({ x, y, width, height }: Rectangle): void {
    const [right, bottom] = [Math.min(this.width, x + width), Math.min(this.height, y + height)];
    for (let row = Math.floor(Math.max(0, y) / TILE); row * TILE < bottom; row += 1)
      for (let column = Math.floor(Math.max(0, x) / TILE); column * TILE < right; column += 1) this.set(column, row);
  }

  /** Removes the marks of the tiles that a rectangle covers. */
  remove({ x, y, width, height }: Rectangle): void {
    for (let row = Math.ceil(y / TILE); row < this.rows && Math.min(this.height, (row + 1) * TILE) <= y + height; row += 1)
      for (let column = Math.ceil(x / TILE); column < this.columns && Math.min(this.width, (column + 1) * TILE) <= x + width; column += 1) {
        const index = row * this.columns + column;
        this.count -= this.marks[index];
        this.marks[index] = 0;
      }
  }

  clear(): void {
    this.marks.fill(0);
    this.count = 0;
  }

  /** Few rectangles that hold all marked tiles. */
  rectangles(): Rectangle[] {
    if (this.isEmpty) return [];
    const done: Rectangle[] = [];
    let open: Rectangle[] = [];
    for (let row = 0; row < this.rows; row += 1) {
      const next: Rectangle[] = [];
      for (const run of this.runs(row)) {
        const above = open.find(({ x, width }) => x === run.x && width === run.width);
        next.push(above === undefined ? run : { ...above, height: above.height + run.height });
        if (above !== undefined) open = open.filter((each) => each !== above);
      }
      done.push(...open);
      open = next;
    }
    done.push(...open);
    return done.length < MANY_RECTANGLES ? done : [boundsOf(done)];
  }

  /** The runs of marked tiles in a row. One unmarked tile between two of them is taken along. */
  private *runs(row: number): Iterable<Rectangle> {
    const y = row * TILE;
    const height = Math.min(TILE, this.height - y);
    for (let column = 0; column < this.columns; column += 1) {
      if (!this.isMarked(column, row)) continue;
      const first = column;
      while (this.isMarked(column + 1, row) || this.isMarked(column + 2, row)) column += 1;
      const x = first * TILE;
      yield { x, y, width: Math.min((column + 1) * TILE, this.width) - x, height };
    }
  }

  private isMarked(column: number, row: number): boolean {
    return column < this.columns && this.marks[row * this.columns + column] === 1;
  }
}

function boundsOf(rectangles: readonly Rectangle[]): Rectangle {
  const x = Math.min(...rectangles.map((each) => each.x));
  const y = Math.min(...rectangles.map((each) => each.y));
  const right = Math.max(...rectangles.map((each) => each.x + each.width));
  const bottom = Math.max(...rectangles.map((each) => each.y + each.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** The picture of a display as it was sent last. */
export class Frame {
  /** Memory that other threads read. It has one row more than the picture, because readers of a part count whole rows. */
  readonly memory: SharedArrayBuffer;
  readonly pixels: Buffer<SharedArrayBuffer>;

  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    this.memory = new SharedArrayBuffer(width * (height + 1) * PIXEL_BYTES);
    this.pixels = Buffer.from(this.memory);
  }

  /**
   * Takes grabbed pixels of a rectangle whose corners lie on tiles, and marks the tiles that differ. Whole rows are compared first,
   * because most are equal.
   */
  update(grabbed: Buffer, { x, y, width, height }: Rectangle, changed: TileMarks): void {
    const rowBytes = width * PIXEL_BYTES;
    for (let row = 0; row < height; row += 1) {
      const from = row * rowBytes;
      const to = ((y + row) * this.width + x) * PIXEL_BYTES;
      if (grabbed.compare(this.pixels, to, to + rowBytes, from, from + rowBytes) === 0) continue;
      const tileRow = Math.floor((y + row) / TILE);
      for (let at = 0; at < width; at += TILE) {
        const [start, end] = [at * PIXEL_BYTES, Math.min(width, at + TILE) * PIXEL_BYTES];
        if (grabbed.compare(this.pixels, to + start, to + end, from + start, from + end) !== 0) changed.set((x + at) / TILE, tileRow);
      }
      grabbed.copy(this.pixels, to, from, from + rowBytes);
    }
  }

  /** The picture from the corner of a rectangle on, with the whole rows below it. */
  from({ x, y }: Rectangle): Buffer<SharedArrayBuffer> {
    return this.pixels.subarray((y * this.width + x) * PIXEL_BYTES);
  }
}
