/** A key, and the modifiers with which it types a symbol. */
export interface Stroke {
  readonly keyCode: number;
  readonly shift: boolean;
  readonly level3: boolean;
}

/** Columns of a group of the layout in the core protocol: without modifiers, Shift, level 3, and both. */
const COLUMNS: Readonly<Record<number, readonly number[]>> = { 0: [0, 1, 4, 5], 1: [2, 3] };
const LEVEL_3 = 0xfe03;
const SHIFTS: readonly number[] = [0xffe1, 0xffe2];
const UNICODE = 0x01000000;

/** The symbols of all keys. */
export class KeyboardLayout {
  private readonly strokes = new Map<string, Stroke>();
  /** Keys without a symbol. */
  readonly spare: readonly number[];
  readonly symbolsPerKey: number;

  constructor(
    private readonly first: number,
    private readonly rows: readonly (readonly number[])[],
  ) {
    this.symbolsPerKey = rows[0]?.length ?? 0;
    this.spare = rows.flatMap((symbols, index) => (symbols.every((symbol) => symbol === 0) ? first + index : []));
    for (const [group, columns] of Object.entries(COLUMNS)) {
      columns.forEach((column, level) => {
        rows.forEach((symbols, index) => {
          for (const symbol of namesOf(symbolAt(symbols, column))) {
            const key = `${group}/${symbol}`;
            const stroke = { keyCode: first + index, shift: (level & 1) === 1, level3: level >= 2 };
            if (symbol !== 0 && !this.strokes.has(key)) this.strokes.set(key, stroke);
          }
        });
      });
    }
  }

  /** The stroke that types a symbol; undefined where no key of the group has it, or none gives its level. */
  strokeFor(symbol: number, group: number): Stroke | undefined {
    const stroke = this.strokes.get(`${group}/${symbol}`);
    return stroke?.level3 === true && this.keyOf(LEVEL_3) === undefined ? undefined : stroke;
  }

  /** The key that has a symbol without modifiers, or with any. */
  keyOf(symbol: number): number | undefined {
    const plain = this.rows.findIndex((symbols) => symbols[0] === symbol);
    const index = plain === -1 ? this.rows.findIndex((symbols) => symbols.includes(symbol)) : plain;
    return index === -1 ? undefined : this.first + index;
  }

  /** The key that gives level 3 (AltGr). */
  get level3Key(): number | undefined {
    return this.keyOf(LEVEL_3);
  }

  get shiftKey(): number | undefined {
    return this.keyOf(SHIFTS[0]);
  }

  /** The first symbol of a key. */
  symbolOfKey(keyCode: number): number {
    return this.rows[keyCode - this.first]?.[0] ?? 0;
  }

  /** True where the codes of keys are those of the kernel plus 8, as on all usual servers. */
  get hasKernelCodes(): boolean {
    return this.symbolOfKey(111) === 0xff52;
  }
}

/** A key with one letter in a column types its capital with Shift. */
function symbolAt(symbols: readonly number[], column: number): number {
  const symbol = symbols[column] ?? 0;
  if (symbol !== 0 || column % 2 === 0) return symbol;
  const lower = symbols[column - 1] ?? 0;
  const isLatin = (lower >= 0x61 && lower <= 0x7a) || (lower >= 0xe0 && lower <= 0xfe && lower !== 0xf7);
  return isLatin ? lower - 0x20 : lower;
}

/** A symbol of Latin-1 may also be written as Unicode. */
function namesOf(symbol: number): readonly number[] {
  const point = symbol - UNICODE;
  return point >= 0x20 && point <= 0xff ? [symbol, point] : [symbol];
}

/** True if a capital and a small letter are the same key, so that Caps Lock changes it. */
export function isLetter(character: string): boolean {
  return character.toLowerCase() !== character.toUpperCase();
}
