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

/** The pointer of the device as a style of the page. */
export function cursorStyle({
  cursor,
  customCursorBase64Png: png,
  xHotspot,
  yHotspot,
}: Pick<MessageValue<'CursorChanged'>, 'cursor' | 'customCursorBase64Png' | 'xHotspot' | 'yHotspot'>): string {
  if (png !== null && BASE64.test(png)) return `url("data:image/png;base64,${png}") ${xHotspot} ${yHotspot}, default`;
  return CURSORS[cursor] ?? 'default';
}
