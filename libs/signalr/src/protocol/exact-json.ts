import { randomBytes } from 'node:crypto';
import { ProtocolError } from './messages.js';

/** Whole numbers with fewer digits are exact as numbers. */
const LARGE_DIGITS = 16;
/** The most digits of a whole number: more than any number of 64 bits, and any double written out. To read a million of them takes long. */
const MOST_DIGITS = 400;
const ZERO = 0x30;
const NINE = 0x39;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const PLUS = 0x2b;
const MINUS = 0x2d;
const DOT = 0x2e;
const LARGE_E = 0x45;
const SMALL_E = 0x65;
const INT64 = { smallest: -(2n ** 63n), largest: 2n ** 64n - 1n };

/** Stands in front of the digits of a large whole number while it is a text. It is secret, so no text of a client begins with it. */
const MARK = `#${randomBytes(16).toString('base64url')}:`;
const MARKED = new RegExp(`"${MARK}(-?\\d+)"`, 'g');
const WHOLE = /^-?[1-9]\d*$/;
const COLON = /\s*:/y;
/** ASCII that JSON takes as it is: no control character, quote or backslash. */
const PRINTABLE = /^[ !#-[\]-~]*$/;

/** The objects and arrays with a BigInt somewhere in them. */
const holders = new WeakSet<object>();

/**
 * Reads JSON as `JSON.parse` does, but whole numbers that are not exact as numbers are BigInts.
 * @throws SyntaxError when it is no JSON, ProtocolError when a whole number has too many digits
 */
export function parseExactly(json: string): unknown {
  if (!mayHoldLarge(json)) return JSON.parse(json);
  const marked = markLarge(json);
  return marked === json ? JSON.parse(json) : restoreLarge(JSON.parse(marked));
}

/** True for a BigInt that {@link parseExactly} has read, and for an object or array with one somewhere in it. */
export function holdsBigInt(value: unknown): boolean {
  return typeof value === 'bigint' || (typeof value === 'object' && value !== null && holders.has(value));
}

/**
 * Writes JSON as `JSON.stringify` does, and BigInts with all their digits.
 * @throws TypeError when a value has no form in JSON, or a BigInt has more than 64 bits
 */
export function stringifyExactly(value: object): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // There is no other way to find out that is free while there are none.
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, markBigInt).replace(MARKED, '$1');
  }
}

/** Writes a text as `JSON.stringify` does. Finding that it needs no escapes takes less than half of the time. */
export function textJson(text: string): string {
  return PRINTABLE.test(text) ? `"${text}"` : JSON.stringify(text);
}

/**
 * Looks at every sixteenth character only: so many digits in a row cannot be between two of them. Most numbers with many digits have a
 * fraction or an exponent.
 */
function mayHoldLarge(json: string): boolean {
  for (let index = LARGE_DIGITS - 1; index < json.length; index += LARGE_DIGITS) {
    if (!isDigit(json, index)) continue;
    let first = index;
    while (isDigit(json, first - 1)) first--;
    if (json.charCodeAt(first - 1) === DOT) continue;
    let behind = index + 1;
    while (isDigit(json, behind)) behind++;
    const next = json.charCodeAt(behind);
    if (behind - first >= LARGE_DIGITS && next !== DOT && next !== SMALL_E && next !== LARGE_E) return true;
    index = behind - 1;
  }
  return false;
}

function isDigit(json: string, index: number): boolean {
  const unit = json.charCodeAt(index);
  return unit >= ZERO && unit <= NINE;
}

/** Turns whole numbers that are not exact into marked texts. A text that is no JSON stays none. */
function markLarge(json: string): string {
  let marked = '';
  let copied = 0;
  let index = 0;
  while (index < json.length) {
    const unit = json.charCodeAt(index);
    if (unit === QUOTE) {
      index = endOfText(json, index);
      continue;
    }
    if (unit !== MINUS && !isDigit(json, index)) {
      index++;
      continue;
    }
    const end = endOfNumber(json, index);
    if (end - index >= LARGE_DIGITS) {
      const number = json.slice(index, end);
      if (isLarge(number) && !isName(json, end)) {
        marked += `${json.slice(copied, index)}"${MARK}${number}"`;
        copied = end;
      }
    }
    index = end;
  }
  return marked + json.slice(copied);
}

/** @throws ProtocolError when it has too many digits */
function isLarge(number: string): boolean {
  if (!WHOLE.test(number)) return false;
  if (number.length > MOST_DIGITS) throw new ProtocolError(`A whole number has more than ${MOST_DIGITS} digits.`);
  return !Number.isSafeInteger(Number(number));
}

/** True when a colon follows. A number in the place of a name is no JSON, and a text in its place would be. */
function isName(json: string, end: number): boolean {
  COLON.lastIndex = end;
  return COLON.test(json);
}

/** The end of the number that begins at `start`, or of the characters that a number may have. */
function endOfNumber(json: string, start: number): number {
  let index = start + 1;
  while (isInNumber(json.charCodeAt(index))) index++;
  return index;
}

function isInNumber(unit: number): boolean {
  if (unit >= ZERO && unit <= NINE) return true;
  return unit === DOT || unit === SMALL_E || unit === LARGE_E || unit === PLUS || unit === MINUS;
}

/** The end of the text that begins at `start`. */
function endOfText(json: string, start: number): number {
  for (let index = start + 1; index < json.length; index++) {
    const unit = json.charCodeAt(index);
    if (unit === BACKSLASH) index++;
    else if (unit === QUOTE) return index + 1;
  }
  return json.length;
}

/** Turns marked texts back into numbers, in place. A reviver of `JSON.parse` would take thirty times as long. */
function restoreLarge(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith(MARK) ? BigInt(value.slice(MARK.length)) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) for (let index = 0; index < value.length; index++) restoreMember(value, index);
  else for (const name of Object.keys(value)) restoreMember(value as Record<string, unknown>, name);
  return value;
}

function restoreMember<K extends string | number>(holder: Record<K, unknown>, name: K): void {
  const value = holder[name];
  if (typeof value !== 'string' && typeof value !== 'object') return;
  const restored = restoreLarge(value);
  if (restored !== value) holder[name] = restored;
  if (holdsBigInt(restored)) holders.add(holder);
}

function markBigInt(_name: string, value: unknown): unknown {
  if (typeof value !== 'bigint') return value;
  if (value < INT64.smallest || value > INT64.largest) throw new TypeError('The BigInt has more than 64 bits.');
  return `${MARK}${value}`;
}
