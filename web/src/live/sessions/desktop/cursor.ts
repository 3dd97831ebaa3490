import type { MessageValue } from '#libs/desktop-stream';

/** The pointers by their number. */
const CURSORS: readonly string[] = [
  'default',
  'default',
  'text',
  'ns-resize',
  'ew-resize',
  'nwse-resize',
  'nesw-resize',
  'wait',
  'pointer',
];
/** The letters of base64: nothing that ends the address of a picture. */
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

type Cursor = Pick<MessageValue<'CursorChanged'>, 'cursor' | 'customCursorBase64Png' | 'xHotspot' | 'yHotspot'>;

/** A picture of a pointer: its address, and its hot spot in pixels. */
export interface CursorPicture {
  readonly address: string;
  readonly x: number;
  readonly y: number;
}

/** The picture of the device's pointer; null if it has none. */
export function cursorPicture({ customCursorBase64Png: png, xHotspot: x, yHotspot: y }: Cursor): CursorPicture | null {
  return png !== null && BASE64.test(png) ? { address: `data:image/png;base64,${png}`, x, y } : null;
}

/** The pointer of the device as a style of the page. */
export function cursorStyle(cursor: Cursor): string {
  const picture = cursorPicture(cursor);
  if (picture !== null) return `url("${picture.address}") ${picture.x} ${picture.y}, default`;
  return CURSORS[cursor.cursor] ?? 'default';
}
