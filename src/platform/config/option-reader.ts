import { nearestName } from './nearest-name.js';
import { allOptions, MIN_BOOTSTRAP_SECRET_LENGTH, NUMBER, type Option, variableOf } from './options.js';
import type { Entry, Source } from './sources.js';

/** Longest wrong value that a message repeats. A longer one may be a secret that was given to the wrong option. */
const SHOWN_VALUE_LENGTH = MIN_BOOTSTRAP_SECRET_LENGTH - 1;

/** Finds the value of each option. When several sources name it, the last source wins. */
export class OptionReader {
  constructor(
    private readonly sources: readonly Source[],
    private readonly problems: string[],
  ) {}

  /** The option's value. Without one, or when it is invalid and reported as a problem, the default. */
  read<T>(option: Option<T>): T {
    const entries = this.entriesOf(option);
    if (!entries || (entries.length === 1 && entries[0]?.text === '' && !option.kind.emptyHasMeaning)) return option.defaultValue;
    const value = option.kind.parse(entries.map(({ text }) => text));
    if (value !== undefined) return value;
    this.problems.push(`${entries[0]?.name ?? option.key}: expected ${option.kind.expected}${shown(option, entries)}`);
    return option.defaultValue;
  }

  /** Checks whether a source gives the option a value. */
  isSet(option: Option<unknown>): boolean {
    return this.entriesOf(option)?.some(({ text }) => text !== '') ?? false;
  }

  /** The name under which the operator set the option, or the variable that would set it. */
  nameOf(option: Option<unknown>): string {
    return this.entriesOf(option)?.[0]?.name ?? variableOf(option.key);
  }

  /** The numbers that are given to options whose keys have a place for one, in order. */
  numbersOf(options: readonly Option<unknown>[]): readonly string[] {
    const patterns = options.map(({ key }) => numberedPattern(key));
    const keys = this.sources.flatMap(({ entries }) => [...entries.keys()]);
    const numbers = new Set(keys.flatMap((key) => patterns.flatMap((pattern) => pattern.exec(key)?.[1] ?? [])));
    return [...numbers].sort((one, other) => Number(one) - Number(other));
  }

  /** One line for each name that is not an option, with the option that was probably meant. */
  unknownNames(): string[] {
    const options = allOptions();
    const keys = options.map(({ key }) => key);
    const known = new Set(keys.map((key) => key.toLowerCase()));
    const lists = options.filter(({ kind }) => kind.isList).map(({ key }) => `${key.toLowerCase()}:`);
    const numbered = keys.filter((key) => key.includes(NUMBER)).map(numberedPattern);
    const lines: string[] = [];
    for (const source of this.sources) {
      if (!source.reportUnknown) continue;
      for (const [key, { name }] of source.entries) {
        if (known.has(key) || lists.some((list) => key.startsWith(list) && /^\d+$/.test(key.slice(list.length)))) continue;
        if (numbered.some((pattern) => pattern.test(key))) continue;
        const meant = nearestName(key, keys);
        lines.push(
          `${name} is not an option of this service${meant ? `; did you mean ${source.name === 'environment' ? variableOf(meant) : meant}?` : '.'}`,
        );
      }
    }
    return lines;
  }

  /** One line for each option that is set but has no effect in this version. */
  withoutEffect(): string[] {
    const idle = allOptions().filter((option) => !option.takesEffect && this.isSet(option));
    return idle.map((option) => `${this.nameOf(option)} has no effect in this version.`);
  }

  private entriesOf(option: Option<unknown>): readonly Entry[] | undefined {
    for (const { entries } of this.sources.toReversed()) {
      const found = option.kind.isList ? listEntries(option.key.toLowerCase(), entries) : singleEntry(option.key.toLowerCase(), entries);
      if (found) return found;
    }
    return undefined;
  }
}

/** The name of each option of a group, as `nameOf` gives it. */
export function nameEach<G extends Readonly<Record<string, Option<unknown>>>>(
  group: G,
  reader: OptionReader,
): { readonly [K in keyof G]: string } {
  const names = Object.entries(group).map(([name, option]) => [name, reader.nameOf(option)]);
  return Object.fromEntries(names) as { readonly [K in keyof G]: string };
}

/** Matches the keys, in lower case, of an option that is given once for each number. */
function numberedPattern(key: string): RegExp {
  return new RegExp(`^${key.toLowerCase().replace(NUMBER, '(\\d{1,6})')}$`);
}

function singleEntry(key: string, entries: ReadonlyMap<string, Entry>): Entry[] | undefined {
  const entry = entries.get(key);
  return entry && [entry];
}

/** The entries of a list: `key:0`, `key:1` and so on in order, or else the comma-separated parts of `key`. */
function listEntries(key: string, entries: ReadonlyMap<string, Entry>): Entry[] | undefined {
  const numbered = [...entries]
    .filter(([name]) => name.startsWith(`${key}:`) && /^\d+$/.test(name.slice(key.length + 1)))
    .sort(([one], [other]) => Number(one.slice(key.length + 1)) - Number(other.slice(key.length + 1)))
    .map(([, entry]) => entry);
  const whole = entries.get(key);
  if (numbered.length === 0 && !whole) return undefined;
  const separated = numbered.length > 0 || !whole ? [] : whole.text.split(',').map((text) => ({ name: whole.name, text }));
  return [...numbered, ...separated].map(({ name, text }) => ({ name, text: text.trim() })).filter(({ text }) => text !== '');
}

function shown(option: Option<unknown>, entries: readonly Entry[]): string {
  if (option.secret || option.kind.isList) return '.';
  const text = entries[0]?.text ?? '';
  // An address may carry a password before its `@`.
  return text.length > SHOWN_VALUE_LENGTH || text.includes('@') ? '.' : `, got ${JSON.stringify(text)}.`;
}
