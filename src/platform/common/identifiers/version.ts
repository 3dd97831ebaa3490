const VERSION = /^\d{1,9}(\.\d{1,9}){1,3}$/;
const PARTS = 4;

/** Parses a version of two to four numbers into four numbers; missing ones are zero. Null when the text is not a version. */
export function parseVersion(text: string): readonly number[] | null {
  if (!VERSION.test(text)) return null;
  const parts = text.split('.').map(Number);
  return [...parts, ...Array<number>(PARTS - parts.length).fill(0)];
}

/** Checks whether a version comes before another one. Texts that are no versions come before all. */
export function isBefore(version: string, other: string): boolean {
  const [parts, others] = [version, other].map((text) => parseVersion(text) ?? Array<number>(PARTS).fill(0));
  const at = parts.findIndex((part, index) => part !== others[index]);
  return at !== -1 && parts[at] < others[at];
}
