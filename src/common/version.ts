const VERSION = /^\d{1,9}(\.\d{1,9}){1,3}$/;
const PARTS = 4;

/** Parses a version of two to four numbers into four numbers; missing ones are zero. Null when the text is not a version. */
export function parseVersion(text: string): readonly number[] | null {
  if (!VERSION.test(text)) return null;
  const parts = text.split('.').map(Number);
  return [...parts, ...Array<number>(PARTS - parts.length).fill(0)];
}
