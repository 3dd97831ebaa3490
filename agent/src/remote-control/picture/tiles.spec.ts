import { describe, expect, it } from 'vitest';
import { Frame, TileMarks } from './tiles.js';

describe('marks on tiles', () => {
  it('become few rectangles within the display', () => {
    const marks = new TileMarks(200, 150);
    expect(marks.rectangles()).toEqual([]);
    marks.add({ x: 10, y: 10, width: 60, height: 100 });
    marks.add({ x: 199, y: 149, width: 50, height: 50 });
    expect(marks.rectangles()).toEqual([
      { x: 0, y: 0, width: 128, height: 128 },
      { x: 192, y: 128, width: 8, height: 22 },
    ]);
  });

  it('take along one tile between two, and become one rectangle when there are very many', () => {
    const marks = new TileMarks(64 * 40, 64 * 40);
    marks.set(0, 0);
    marks.set(2, 0);
    expect(marks.rectangles()).toEqual([{ x: 0, y: 0, width: 192, height: 64 }]);
    for (let row = 1; row < 40; row += 2) for (let column = 0; column < 40; column += 4) marks.set(column, row);
    expect(marks.rectangles()).toEqual([{ x: 0, y: 0, width: 64 * 37, height: 64 * 40 }]);
  });

  it('are removed from tiles that a rectangle covers', () => {
    const marks = new TileMarks(150, 64);
    marks.add({ x: 0, y: 0, width: 150, height: 64 });
    marks.remove({ x: 64, y: 0, width: 86, height: 64 });
    expect(marks.rectangles()).toEqual([{ x: 0, y: 0, width: 64, height: 64 }]);
    marks.remove({ x: 0, y: 0, width: 63, height: 64 });
    expect(marks.isEmpty).toBe(false);
    marks.clear();
    expect(marks.isEmpty).toBe(true);
  });
});

describe('a frame', () => {
  it('takes what was grabbed, and marks the tiles that differ from it', () => {
    const frame = new Frame(150, 100);
    const whole = { x: 0, y: 0, width: 150, height: 100 };
    const grabbed = Buffer.alloc(150 * 100 * 4);
    grabbed[(70 * 150 + 149) * 4] = 1;
    const changed = new TileMarks(150, 100);
    frame.update(grabbed, whole, changed);
    expect(changed.rectangles()).toEqual([{ x: 128, y: 64, width: 22, height: 36 }]);
    expect(frame.pixels.subarray(0, grabbed.length).equals(grabbed)).toBe(true);
    changed.clear();
    frame.update(grabbed, whole, changed);
    expect(changed.isEmpty).toBe(true);
    expect(frame.from({ ...whole, x: 149, y: 70 })[0]).toBe(1);
  });
});
