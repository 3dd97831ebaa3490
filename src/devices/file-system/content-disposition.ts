/** Longest file name that is suggested, as file systems allow. */
const MAX_LENGTH = 255;
const DEFAULT_NAME = 'download';
/** Characters that cannot stand unchanged in a quoted string of the header (RFC 6266), or that some readers take for an escape. */
const NOT_PLAIN = /[^\x20-\x7e]|["\\%]/gu;
/**
 * Control and format characters. Some of them change the direction of writing, so that `report\u202Efdp.exe` looks like
 * `reportexe.pdf`; others have no width, so that two names look the same.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
/** Characters that `encodeURIComponent` leaves unchanged although RFC 5987 requires their encoding. */
const NOT_ENCODED = /['()*]/g;

/**
 * A Content-Disposition header for a file name that comes from a device. It contains the last segment of the name only, without
 * invisible characters: as ASCII for old readers and, if ASCII loses something, also encoded (RFC 6266, RFC 5987).
 */
export function contentDisposition(kind: 'attachment' | 'inline', fileName: string): string {
  const name = fileNameOf(fileName);
  const plain = name.replaceAll(NOT_PLAIN, '_');
  return plain === name ? `${kind}; filename="${name}"` : `${kind}; filename="${plain}"; filename*=UTF-8''${encode(name)}`;
}

function fileNameOf(text: string): string {
  const last = text.toWellFormed().split(/[/\\]/).at(-1) ?? '';
  const visible = Array.from(last.replaceAll(INVISIBLE, ''));
  const name = visible.slice(0, MAX_LENGTH).join('').trim();
  return name === '' || /^\.+$/.test(name) ? DEFAULT_NAME : name;
}

function encode(name: string): string {
  return encodeURIComponent(name).replaceAll(NOT_ENCODED, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
