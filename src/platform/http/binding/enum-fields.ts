import { Transform } from 'class-transformer';
import { IsIn } from 'class-validator/cjs/decorator/common/IsIn.js';

import { field, messageOf, type FieldOptions } from './field.js';

/** The members of an enumeration in the order of their numbers. The value of each member is its name. */
type NamedEnum<T extends string> = Readonly<Record<string, T>>;

/** Explanations of members, by name, where the name alone is not clear. */
type Meanings = Readonly<Record<string, string>>;

/** An enumeration that is written by member name, under its name in the API reference. */
export interface NameEnumeration<T extends string = string> {
  readonly name: string;
  /** Every member in the order of its number. */
  readonly members: readonly T[];
  /** The members that requests may send and answers may contain. */
  readonly usable: readonly T[];
  readonly meanings: Meanings;
}

/** An enumeration that is written by member number. */
export interface NumberEnumeration {
  readonly name: string;
  readonly numbers: Readonly<Record<string, number>>;
  readonly meanings: Meanings;
}

/**
 * Describes an enumeration once for all fields of its type. `except` names members that no request may send and no
 * answer contains, such as the `Unknown` of a missing value. They keep their numbers.
 */
export function namesOf<T extends string>(
  name: string,
  members: NamedEnum<T>,
  meanings: Meanings = {},
  except: readonly T[] = [],
): NameEnumeration<T> {
  const all = Object.values<T>(members);
  return { name, members: all, usable: all.filter((member) => !except.includes(member)), meanings };
}

/** Describes an enumeration that is written by number. */
export function numbersOf(name: string, numbers: Readonly<Record<string, number>>, meanings: Meanings = {}): NumberEnumeration {
  return { name, numbers, meanings };
}

/** A field with an enumeration member: read by name in any case or by number, written by name. */
export function EnumName(
  description: string,
  { name, members, usable, meanings }: NameEnumeration,
  options: FieldOptions<string> = {},
): PropertyDecorator {
  return field(
    description,
    options,
    { enum: usable, enumName: name, type: 'string', enumSchema: { 'x-description': wordsOf(usable, meanings) } },
    [Transform(({ value }) => enumFromWire(members, value)), IsIn(usable, { message: messageOf(`must be one of ${usable.join(', ')}`) })],
  );
}

/** A field with an enumeration member that is read and written by number. */
export function EnumNumber(
  description: string,
  { name, numbers, meanings }: NumberEnumeration,
  options: FieldOptions<number> = {},
): PropertyDecorator {
  const names = Object.keys(numbers);
  const numbered = names.map((member) => `\`${numbers[member]}\` = ${member}${member in meanings ? `: ${meanings[member]}` : ''}`);
  const enumSchema = { 'x-description': numbered.join(names.some((member) => member in meanings) ? '\n' : ', '), 'x-enum-varnames': names };
  return field(description, options, { enum: Object.values(numbers), enumName: name, type: 'integer', enumSchema }, [
    IsIn(Object.values(numbers), { message: messageOf('must be a known number') }),
  ]);
}

/** Reads an enumeration member by name in any case, or by number. Other values are returned unchanged and fail validation. */
export function enumFromWire(names: readonly string[], value: unknown): unknown {
  if (typeof value === 'number') return names[value] ?? value;
  if (typeof value !== 'string') return value;
  const wanted = value.trim().toLowerCase();
  return names.find((name) => name.toLowerCase() === wanted) ?? (/^\d{1,3}$/.test(wanted) ? (names[Number(wanted)] ?? value) : value);
}

function wordsOf(members: readonly string[], meanings: Meanings): string | undefined {
  const known = members.filter((member) => member in meanings);
  return known.length === 0 ? undefined : known.map((member) => `- \`${member}\`: ${meanings[member]}`).join('\n');
}
