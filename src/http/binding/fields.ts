import { applyDecorators, type Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform, Type as NestedType } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsDate,
  IsIn,
  IsInt,
  IsNumber,
  IsString,
  Matches,
  Max,
  Min,
  registerDecorator,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';

import { EMPTY_GUID, isGuid } from '../../common/guid.js';
import { registerField } from './field-registry.js';

/** What every field may say of itself. Without `nullable` and `default` a field is required. */
export interface FieldOptions<T> {
  /** The field may be left out or null; it then is null. */
  readonly nullable?: boolean;
  /** The value of a field that is left out or null. */
  readonly default?: T;
  readonly description?: string;
}

interface TextOptions extends FieldOptions<string> {
  readonly min?: number;
  readonly max?: number;
  readonly notBlank?: boolean;
  readonly pattern?: RegExp;
  readonly format?: string;
}

interface NumberOptions extends FieldOptions<number> {
  readonly min?: number;
  readonly max?: number;
}

interface ListOptions<T> extends FieldOptions<readonly T[]> {
  readonly min?: number;
  readonly max?: number;
}

/** Largest value of the specification's 32-bit integers. */
export const INT32_MAX = 2_147_483_647;

/** Names of an enumeration in the order of their numbers; the value of each member is its name. */
export type NamedEnum = Readonly<Record<string, string>>;

/** A text field; lengths in characters, counted as the database counts them. */
export function Text(options: TextOptions = {}): PropertyDecorator {
  const { min, max, notBlank, pattern } = options;
  const rules: PropertyDecorator[] = [IsString({ message: messageOf('must be text') })];
  if (min !== undefined) rules.push(rule('minLength', hasAtLeast(min), `must have at least ${min} character${min === 1 ? '' : 's'}`));
  if (max !== undefined) rules.push(rule('maxLength', hasAtMost(max), `must have at most ${max} characters`));
  if (pattern !== undefined) rules.push(Matches(pattern, { message: messageOf('has characters that are not allowed') }));
  if (notBlank) rules.push(rule('notBlank', (value) => typeof value === 'string' && value.trim() !== '', 'must not be blank'));
  rules.push(rule('noNul', hasNoNul, 'must not contain NUL characters'));
  return field(
    options,
    {
      type: String,
      ...(min === undefined ? {} : { minLength: min }),
      ...(max === undefined ? {} : { maxLength: max }),
      ...(options.format === undefined ? {} : { format: options.format }),
      ...(pattern === undefined ? {} : { pattern: pattern.source }),
    },
    rules,
  );
}

/** A GUID in its hyphenated form, read in any case and kept in lower case. The all-zero GUID counts as missing. */
export function Guid(options: FieldOptions<string> = {}): PropertyDecorator {
  return field(options, { type: String, format: 'uuid' }, [
    Transform(({ value }) => lowerCaseGuid(value)),
    rule('guid', (value) => isGuid(value), 'must be a GUID'),
    rule('notEmptyGuid', (value) => value !== EMPTY_GUID, 'is required'),
  ]);
}

/** A list of GUIDs; `max` bounds its length. */
export function GuidList(options: ListOptions<string>): PropertyDecorator {
  return field(options, { type: 'array', items: { type: 'string', format: 'uuid' }, ...itemBounds(options) }, [
    Transform(({ value }) => (Array.isArray(value) ? value.map(lowerCaseGuid) : value)),
    ...listRules(options),
    ValidateBy(
      { name: 'guids', validator: { validate: (value) => isGuid(value), defaultMessage: messageOf('must hold GUIDs only') } },
      { each: true },
    ),
  ]);
}

/** A list of texts. */
export function TextList(options: ListOptions<string> & { readonly maxLength: number }): PropertyDecorator {
  return field(options, { type: 'array', items: { type: 'string' }, ...itemBounds(options) }, [
    ...listRules(options),
    IsString({ each: true, message: messageOf('must hold texts only') }),
    ValidateBy(
      {
        name: 'maxLengths',
        validator: {
          validate: hasAtMost(options.maxLength),
          defaultMessage: messageOf(`must hold texts of at most ${options.maxLength} characters`),
        },
      },
      { each: true },
    ),
    ValidateBy(
      { name: 'noNuls', validator: { validate: hasNoNul, defaultMessage: messageOf('must hold texts without NUL characters') } },
      { each: true },
    ),
  ]);
}

/** A list of whole numbers. */
export function IntList(options: ListOptions<number> & { readonly smallest?: number }): PropertyDecorator {
  const smallest = options.smallest ?? -INT32_MAX;
  return field(options, { type: 'array', items: { type: 'integer', format: 'int32' }, ...itemBounds(options) }, [
    ...listRules(options),
    IsInt({ each: true, message: messageOf('must hold whole numbers only') }),
    Min(smallest, { each: true, message: messageOf(`must hold numbers of at least ${smallest}`) }),
    Max(INT32_MAX, { each: true, message: messageOf(`must hold numbers of at most ${INT32_MAX}`) }),
  ]);
}

/** A whole number of 32 bits. */
export function Int(options: NumberOptions = {}): PropertyDecorator {
  return field(options, { type: 'integer', format: 'int32', ...numberBounds(options) }, [
    Transform(({ value }) => numberFromText(value)),
    IsInt({ message: messageOf('must be a whole number') }),
    ...rangeRules({ min: -INT32_MAX - 1, max: INT32_MAX, ...options }),
  ]);
}

/** A whole number of 64 bits that JavaScript can hold exactly. */
export function Long(options: NumberOptions = {}): PropertyDecorator {
  return field(options, { type: 'integer', format: 'int64', ...numberBounds(options) }, [
    Transform(({ value }) => numberFromText(value)),
    rule('safeInteger', (value) => Number.isSafeInteger(value), 'must be a whole number'),
    ...rangeRules(options),
  ]);
}

/** A number. */
export function Double(options: NumberOptions = {}): PropertyDecorator {
  return field(options, { type: 'number', format: 'double', ...numberBounds(options) }, [
    Transform(({ value }) => numberFromText(value)),
    IsNumber({ allowNaN: false, allowInfinity: false }, { message: messageOf('must be a number') }),
    ...rangeRules(options),
  ]);
}

/** A truth value: true or false; query strings also bind `true` and `false` as text. */
export function Bool(options: FieldOptions<boolean> = {}): PropertyDecorator {
  return field(options, { type: Boolean }, [
    Transform(({ value }) => booleanFromText(value)),
    IsBoolean({ message: messageOf('must be true or false') }),
  ]);
}

/** An instant as ISO 8601 text; text without an offset is UTC. */
export function Instant(options: FieldOptions<Date> = {}): PropertyDecorator {
  return field(options, { type: String, format: 'date-time' }, [
    Transform(({ value }) => instantFromText(value)),
    IsDate({ message: messageOf('must be a date and time in ISO 8601 form') }),
  ]);
}

/**
 * A member of an enumeration: read by name in any case or by number, written by name.
 * `except` lists members that exist but cannot be sent (an omitted value's `Unknown`).
 */
export function EnumName(
  enumeration: NamedEnum,
  options: FieldOptions<string> & { readonly name: string; readonly except?: readonly string[] },
): PropertyDecorator {
  const names = Object.values(enumeration);
  const accepted = names.filter((name) => !options.except?.includes(name));
  return field(options, { enum: names, enumName: options.name, type: 'string' }, [
    Transform(({ value }) => enumFromWire(names, value)),
    IsIn(accepted, { message: messageOf(`must be one of ${accepted.join(', ')}`) }),
  ]);
}

/** An enumeration whose wire form is its number (`platform`, `osArchitecture`). */
export function EnumNumber(name: string, numbers: Readonly<Record<string, number>>, options: FieldOptions<number> = {}): PropertyDecorator {
  return field(options, { enum: Object.values(numbers), enumName: name, type: 'integer' }, [
    IsIn(Object.values(numbers), { message: messageOf('must be a known number') }),
  ]);
}

/** An object of its own class. */
export function Nested(type: () => Type<object>, options: FieldOptions<never> = {}): PropertyDecorator {
  return field(
    options,
    { type: lazily(type) },
    [NestedType(type), ValidateNested(), rule('object', isPlainObject, 'must be an object')],
    type,
  );
}

/** A list of objects of one class. */
export function ListOf(type: () => Type<object>, options: ListOptions<object> = {}): PropertyDecorator {
  return field(
    options,
    { type: lazily(type), isArray: true, ...itemBounds(options) },
    [
      NestedType(type),
      ...listRules(options),
      ValidateNested({ each: true }),
      rule('objects', (value) => Array.isArray(value) && value.every(isPlainObject), 'must hold objects only'),
    ],
    type,
  );
}

/** Reads an enumeration member by name in any case, or by number; anything else is returned as it is and fails validation. */
export function enumFromWire(names: readonly string[], value: unknown): unknown {
  if (typeof value === 'number') return names[value] ?? value;
  if (typeof value !== 'string') return value;
  const wanted = value.trim().toLowerCase();
  return names.find((name) => name.toLowerCase() === wanted) ?? (/^\d{1,3}$/.test(wanted) ? (names[Number(wanted)] ?? value) : value);
}

function field<T>(
  options: FieldOptions<T>,
  schema: object,
  rules: readonly PropertyDecorator[],
  nested?: () => Type<object>,
): PropertyDecorator {
  const required = !options.nullable && options.default === undefined;
  const description: ApiPropertyOptions = {
    ...schema,
    required,
    ...(options.nullable ? { nullable: true } : {}),
    ...(options.default === undefined ? {} : { default: options.default as unknown }),
    ...(options.description === undefined ? {} : { description: options.description }),
  };
  const absent: PropertyDecorator = required
    ? rule('required', (value) => value !== undefined && value !== null, 'is required')
    : ValidateIf((_object, value) => value !== undefined && value !== null);
  const fallback: unknown = options.default ?? (options.nullable ? null : undefined);
  const register: PropertyDecorator = (target, property) => {
    registerField(target, { name: String(property), fallback, ...(nested === undefined ? {} : { nested }) });
  };
  return applyDecorators(register, ApiProperty(description), absent, ...rules);
}

/** The document's scanner tells a deferred class from a class by the name of the function: it has to be `type`. */
function lazily(classOf: () => Type<object>): () => Type<object> {
  const type = (): Type<object> => classOf();
  return type;
}

function rule(name: string, validate: (value: unknown) => boolean, message: string): PropertyDecorator {
  return (target, property) => {
    registerDecorator({
      name,
      target: target.constructor,
      propertyName: String(property),
      validator: { validate: (value: unknown) => validate(value), defaultMessage: messageOf(message) },
    });
  };
}

function messageOf(text: string): (arguments_?: { property: string }) => string {
  return (given) => `${given?.property ?? 'The value'} ${text}.`;
}

function listRules(options: ListOptions<unknown>): PropertyDecorator[] {
  const rules: PropertyDecorator[] = [IsArray({ message: messageOf('must be a list') })];
  if (options.min !== undefined)
    rules.push(ArrayMinSize(options.min, { message: messageOf(`must hold at least ${options.min} item${options.min === 1 ? '' : 's'}`) }));
  if (options.max !== undefined) rules.push(ArrayMaxSize(options.max, { message: messageOf(`must hold at most ${options.max} items`) }));
  return rules;
}

function rangeRules({ min, max }: NumberOptions): PropertyDecorator[] {
  const rules: PropertyDecorator[] = [];
  if (min !== undefined) rules.push(Min(min, { message: messageOf(`must be at least ${min}`) }));
  if (max !== undefined) rules.push(Max(max, { message: messageOf(`must be at most ${max}`) }));
  return rules;
}

function itemBounds({ min, max }: ListOptions<unknown>): object {
  return { ...(min === undefined ? {} : { minItems: min }), ...(max === undefined ? {} : { maxItems: max }) };
}

function numberBounds({ min, max }: NumberOptions): object {
  return { ...(min === undefined ? {} : { minimum: min }), ...(max === undefined ? {} : { maximum: max }) };
}

/** The package's own length rules leave characters out that PostgreSQL counts, such as variation selectors. */
function hasAtMost(max: number): (value: unknown) => boolean {
  return (value) => typeof value === 'string' && value.length <= 2 * max && codePointsOf(value) <= max;
}

function hasAtLeast(min: number): (value: unknown) => boolean {
  return (value) => typeof value === 'string' && codePointsOf(value) >= min;
}

/** A code point takes one or two of the units in which JavaScript counts. */
function codePointsOf(text: string): number {
  return Array.from(text).length;
}

/** PostgreSQL keeps no NUL characters in texts, and no path or name has one. */
function hasNoNul(value: unknown): boolean {
  return typeof value !== 'string' || !value.includes('\0');
}

function isPlainObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function lowerCaseGuid(value: unknown): unknown {
  return isGuid(value) ? value.toLowerCase() : value;
}

function numberFromText(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(value.trim()) ? Number(value) : value;
}

function booleanFromText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const text = value.trim().toLowerCase();
  return text === 'true' ? true : text === 'false' ? false : value;
}

const ISO_INSTANT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/i;

/** The years that ISO 8601 writes with four digits; an offset can lead out of them, and clients cannot read what lies there. */
const FIRST_YEAR = 1;
const LAST_YEAR = 9999;

/** Whether the month has the day: JavaScript would take the 31st of February for the 3rd of March. */
function isCalendarDay(day: string): boolean {
  const midnight = new Date(day);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
}

function instantFromText(value: unknown): unknown {
  if (typeof value !== 'string' || !ISO_INSTANT.test(value) || !isCalendarDay(value.slice(0, 10))) return value;
  const zoned = /(Z|[+-]\d{2}:\d{2})$/i.test(value) || !value.includes('T') ? value : `${value}Z`;
  const instant = new Date(zoned);
  const year = instant.getUTCFullYear();
  return year >= FIRST_YEAR && year <= LAST_YEAR ? instant : value;
}
