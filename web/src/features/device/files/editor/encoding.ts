/*
 * How the bytes of a file are a text. The encoding that a file has is kept when it is saved.
 */

type EncodingName = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

export interface Encoding {
  readonly name: EncodingName;
  /** The file begins with the mark that says so. */
  readonly bom: boolean;
}

/** Encodings that a user can choose, as the page names them. */
export const ENCODINGS = ['utf-8', 'utf-8-bom', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type EncodingChoice = (typeof ENCODINGS)[number];

export const choiceOf = ({ name, bom }: Encoding): EncodingChoice => (name === 'utf-8' && bom ? 'utf-8-bom' : name);

/** UTF-16 is always written with its mark: without one, hardly a program reads it. */
export const encodingOf = (choice: EncodingChoice): Encoding =>
  choice === 'utf-8-bom' ? { name: 'utf-8', bom: true } : { name: choice, bom: choice.startsWith('utf-16') };

export interface DecodedText {
  readonly text: string;
  readonly encoding: Encoding;
}

const MARKS: readonly { readonly name: EncodingName; readonly mark: readonly number[] }[] = [
  { name: 'utf-8', mark: [0xef, 0xbb, 0xbf] },
  { name: 'utf-16le', mark: [0xff, 0xfe] },
  { name: 'utf-16be', mark: [0xfe, 0xff] },
];
/** UTF-16 without a mark is recognised by its zeros, which are at every second place of most texts. */
const SHARE_OF_ZEROS = 0.7;
/** A text without a known encoding has at most this share of control characters. */
const SHARE_OF_CONTROLS = 0.02;

/** Returns the text of a file; null if it is none: then the file is binary. */
export function decode(bytes: Uint8Array): DecodedText | null {
  const marked = MARKS.find(({ mark }) => mark.every((byte, index) => bytes[index] === byte));
  if (marked !== undefined) return decodeAs({ name: marked.name, bom: true }, bytes.subarray(marked.mark.length));
  const unmarked = utf16Of(bytes);
  if (unmarked !== null) return decodeAs({ name: unmarked, bom: false }, bytes);
  if (bytes.includes(0)) return null;
  const utf8 = decodeAs({ name: 'utf-8', bom: false }, bytes);
  if (utf8 !== null) return utf8;
  const controls = bytes.reduce((count, byte) => count + (isControl(byte) ? 1 : 0), 0);
  if (controls > bytes.length * SHARE_OF_CONTROLS) return null;
  return { text: Array.from(bytes, (byte) => CHARACTERS[byte]).join(''), encoding: { name: 'windows-1252', bom: false } };
}

/** Returns the bytes of a text, or the first characters that the encoding does not have. */
export function encode(text: string, { name, bom }: Encoding): Uint8Array<ArrayBuffer> | { readonly missing: string } {
  const mark = bom ? (MARKS.find((each) => each.name === name)?.mark ?? []) : [];
  if (name === 'utf-8') return joined(mark, new TextEncoder().encode(text));
  if (name === 'windows-1252') {
    const missing = [...new Set(text)].filter((character) => !BYTES.has(character));
    if (missing.length > 0) return { missing: missing.slice(0, 5).join(' ') };
    return joined(
      mark,
      Uint8Array.from(text, (character) => BYTES.get(character) ?? 0),
    );
  }
  const bytes = new Uint8Array(text.length * 2);
  const view = new DataView(bytes.buffer);
  for (let index = 0; index < text.length; index += 1) view.setUint16(index * 2, text.charCodeAt(index), name === 'utf-16le');
  return joined(mark, bytes);
}

function decodeAs(encoding: Encoding, bytes: Uint8Array): DecodedText | null {
  try {
    const text = new TextDecoder(encoding.name, { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\0') ? null : { text, encoding };
  } catch {
    // These bytes are no text of this encoding.
    return null;
  }
}

function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const units = bytes.length / 2;
  if (units < 1 || !Number.isInteger(units)) return null;
  const zeros = [0, 0];
  bytes.forEach((byte, index) => (zeros[index % 2] += byte === 0 ? 1 : 0));
  if (zeros[0] === 0 && zeros[1] >= units * SHARE_OF_ZEROS) return 'utf-16le';
  if (zeros[1] === 0 && zeros[0] >= units * SHARE_OF_ZEROS) return 'utf-16be';
  return null;
}

/** Tab, line ends, form feed and escape occur in texts. */
const isControl = (byte: number): boolean => (byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d, 0x1b].includes(byte)) || byte === 0x7f;

/** Characters of Windows-1252 from 80 to 9F. Elsewhere it is Latin-1. Five bytes have none and stand for themselves. */
const FROM_80 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const CHARACTERS = Array.from({ length: 256 }, (_, byte) => FROM_80[byte - 0x80] ?? String.fromCharCode(byte));
const BYTES: ReadonlyMap<string, number> = new Map(CHARACTERS.map((character, byte) => [character, byte]));

function joined(mark: readonly number[], bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(mark.length + bytes.length);
  all.set(mark);
  all.set(bytes, mark.length);
  return all;
}
