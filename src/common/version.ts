const VERSION = /^\d{1,9}(\.\d{1,9}){1,3}$/;
const PARTS = 4;

/** The four numbers of a version that is written with two to four; left-out ones are zero. Null when the text is no version. */
export function parseVersion(text: string): readonly number[] | null {
  if (!VERSION.test(text)) return null;
  const parts = text.split('.').map(Number);
  return [...parts, ...Array<number>(PARTS - parts.length).fill(0)];
}
