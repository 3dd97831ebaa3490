import { isVisible } from '../../platform/common/identifiers/name-text.js';
import { EnumName, enumFromWire, type NameEnumeration } from '../../platform/http/binding/enum-fields.js';
import type { FieldOptions } from '../../platform/http/binding/field.js';
import { Bool, Double, Int, Text } from '../../platform/http/binding/fields.js';

/** The value of a setting. */
export type SettingValue = boolean | number | string | null;

/** A setting that the service knows: how its text is parsed, and its default. */
export interface NamedSetting<T extends SettingValue> {
  readonly name: string;
  readonly defaultValue: T;
  /** Parses a text; undefined when it is invalid. `String(value)` is the stored text. */
  readonly parse: (text: string) => NonNullable<T> | undefined;
  /** Rule for a text; completes "<field> must be …". */
  readonly rule: string;
  /** Declares the member of a DTO that carries the setting. In a change, one that is left out stays, and null clears it. */
  readonly field: PropertyDecorator;
}

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i;
const WHOLE_NUMBER = /^[+-]?\d{1,10}$/;

/** True or false, in any case. */
export function trueOrFalse<T extends boolean | null>(name: string, description: string, defaultValue: T): NamedSetting<T> {
  return {
    name,
    defaultValue,
    parse: (text) => (/^(true|false)$/i.test(text) ? ((text.toLowerCase() === 'true') as NonNullable<T>) : undefined),
    rule: 'true or false',
    field: Bool(description, unset<boolean>(defaultValue)),
  };
}

/** A whole number within a range. */
export function wholeNumber(
  name: string,
  description: string,
  defaultValue: number,
  range: { readonly min: number; readonly max: number },
): NamedSetting<number> {
  const { min, max } = range;
  return {
    name,
    defaultValue,
    parse: (text) => (WHOLE_NUMBER.test(text) ? within(Number(text), min, max) : undefined),
    rule: `a whole number from ${min} to ${max}`,
    field: Int(description, { ...unset<number>(defaultValue), ...range }),
  };
}

/** A number with a decimal point. */
export function decimal(name: string, description: string, defaultValue: number, { min }: { readonly min: number }): NamedSetting<number> {
  return {
    name,
    defaultValue,
    parse: (text) => (DECIMAL.test(text) ? within(Number(text), min, Number.MAX_VALUE) : undefined),
    rule: `a number of at least ${min}`,
    field: Double(description, { ...unset<number>(defaultValue), min }),
  };
}

/** A member of an enumeration, by its name in any case or by its number. */
export function oneOf<T extends string>(
  name: string,
  description: string,
  defaultValue: T,
  enumeration: NameEnumeration<T>,
): NamedSetting<T> {
  const { members } = enumeration;
  return {
    name,
    defaultValue,
    parse: (text) => members.find((member) => member === enumFromWire(members, text)),
    rule: `one of ${members.join(', ')}`,
    field: EnumName(description, enumeration, unset<string>(defaultValue)),
  };
}

/** A text of certain characters and of bounded length. */
export function textOf<T extends string | null>(
  name: string,
  description: string,
  defaultValue: T,
  accepted: { readonly max: number; readonly pattern: RegExp; readonly rule: string; readonly example: string },
): NamedSetting<T> {
  const { max, pattern, rule, example } = accepted;
  return {
    name,
    defaultValue,
    parse: (text) => (text.length <= max && pattern.test(text) && isVisible(text) ? (text as NonNullable<T>) : undefined),
    rule: `at most ${max} characters: ${rule}`,
    field: Text(description, { max, example, ...unset<string>(defaultValue) }),
  };
}

/** The field options for a setting that is not set. */
function unset<T>(defaultValue: T | null): Pick<FieldOptions<T>, 'unchangedIfOmitted' | 'nullable' | 'default'> {
  return { unchangedIfOmitted: true, ...(defaultValue === null ? { nullable: true } : { default: defaultValue }) };
}

function within(value: number, min: number, max: number): number | undefined {
  return value >= min && value <= max ? value : undefined;
}
