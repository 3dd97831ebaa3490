/** Longest name that is suggested; file systems know no longer ones. */
const MAX_LENGTH = 255;
const DEFAULT_NAME = 'download';
/** What may stand in a quoted string of a header as it is (RFC 6266), without what some readers take for an escape. */
const NOT_PLAIN = /[^\x20-\x7e]|["\\%]/gu;
/** What `encodeURIComponent` leaves alone although RFC 5987 does not. */
const NOT_ENCODED = /['()*]/g;

/**
 * A Content-Disposition header with a file name that a device chose: the name's last segment only, as ASCII for old
 * readers and, when that loses something, encoded for all others (RFC 6266, RFC 5987).
 */
export function contentDisposition(kind: 'attachment' | 'inline', fileName: string): string {
  const name = fileNameOf(fileName);
  const plain = name.replaceAll(NOT_PLAIN, '_');
  return plain === name ? `${kind}; filename="${name}"` : `${kind}; filename="${plain}"; filename*=UTF-8''${encode(name)}`;
}

function fileNameOf(text: string): string {
  const last = text.toWellFormed().split(/[/\\]/).at(-1) ?? '';
  const visible = Array.from(last).filter((character) => !isControl(character));
  const name = visible.slice(0, MAX_LENGTH).join('').trim();
  return name === '' || /^\.+$/.test(name) ? DEFAULT_NAME : name;
}

function isControl(character: string): boolean {
  return character < ' ' || (character >= '\u007f' && character <= '\u009f');
}

function encode(name: string): string {
  return encodeURIComponent(name).replaceAll(NOT_ENCODED, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
