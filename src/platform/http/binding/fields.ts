import type { Type } from '@nestjs/common';
import { Transform, Type as NestedType } from 'class-transformer';
import { ArrayMaxSize } from 'class-validator/cjs/decorator/array/ArrayMaxSize.js';
import { ArrayMinSize } from 'class-validator/cjs/decorator/array/ArrayMinSize.js';
import { IsArray } from 'class-validator/cjs/decorator/typechecker/IsArray.js';
import { IsBoolean } from 'class-validator/cjs/decorator/typechecker/IsBoolean.js';
import { IsDate } from 'class-validator/cjs/decorator/typechecker/IsDate.js';
import { IsInt } from 'class-validator/cjs/decorator/typechecker/IsInt.js';
import { IsNumber } from 'class-validator/cjs/decorator/typechecker/IsNumber.js';
import { IsString } from 'class-validator/cjs/decorator/typechecker/IsString.js';
import { Matches } from 'class-validator/cjs/decorator/string/Matches.js';
import { Max } from 'class-validator/cjs/decorator/number/Max.js';
import { Min } from 'class-validator/cjs/decorator/number/Min.js';
import { ValidateBy } from 'class-validator/cjs/decorator/common/ValidateBy.js';
import { ValidateNested } from 'class-validator/cjs/decorator/common/ValidateNested.js';

import { EMPTY_GUID, isGuid } from '../../common/identifiers/guid.js';
import { isVisible } from '../../common/identifiers/name-text.js';
import { field, messageOf, rule, type FieldOptions } from './field.js';
import {
  booleanFromText,
  hasAtLeast,
  hasAtMost,
  hasNoControlCharacter,
  hasNoDeceptiveCharacter,
  hasNoNul,
  instantFromText,
  isPlainObject,
  lowerCaseGuid,
  nameFromText,
  numberFromText,
  wellFormed,
} from './wire-values.js';

/*
 * The decorators of DTO fields. The first argument of each is the description in the API reference: one or two
 * sentences about what the value is, beyond what its type says.
 */

interface TextOptions extends FieldOptions<string> {
  readonly min?: number;
  readonly max?: number;
  readonly notBlank?: boolean;
  readonly noControlCharacters?: boolean;
  readonly pattern?: RegExp;
  readonly format?: string;
  /** The accepted texts, for the reference only. The code that reads the field refuses others, with its own message. */
  readonly values?: readonly string[];
}

type NameOptions = Pick<TextOptions, 'nullable' | 'unchangedIfOmitted' | 'example' | 'min' | 'max'>;

interface NumberOptions extends FieldOptions<number> {
  readonly min?: number;
  readonly max?: number;
}

interface PageSizeOptions {
  readonly max: number;
  readonly default: number;
  /** Smaller numbers are refused. Without it the route decides about them. */
  readonly min?: number;
}

interface ListOptions<T> extends FieldOptions<readonly T[]> {
  readonly min?: number;
  readonly max?: number;
}

/** Largest whole number of 32 bits. */
export const INT32_MAX = 2_147_483_647;

/** A text field. Lengths are in characters, as the database counts them. */
export function Text(description: string, options: TextOptions = {}): PropertyDecorator {
  const { notBlank, noControlCharacters, pattern } = options;
  const rules = [Transform(({ value }) => wellFormed(value)), IsString({ message: messageOf('must be text') }), ...lengthRules(options)];
  if (pattern !== undefined) rules.push(Matches(pattern, { message: messageOf('has characters that are not allowed') }));
  if (notBlank) rules.push(rule('notBlank', (value) => typeof value === 'string' && value.trim() !== '', 'must not be blank'));
  if (noControlCharacters) rules.push(rule('noControlCharacters', hasNoControlCharacter, 'must not contain control characters'));
  rules.push(rule('noNul', hasNoNul, 'must not contain NUL characters'));
  return field(
    description,
    options,
    {
      ...textSchema(options),
      ...(options.format === undefined ? {} : { format: options.format }),
      ...(pattern === undefined ? {} : { pattern: pattern.source }),
      ...(options.values === undefined ? {} : { enum: options.nullable ? [...options.values, null] : options.values }),
    },
    rules,
  );
}

/**
 * A name that a person gives to something: one line with at least one visible character, and none that makes it read as another name.
 * Spaces around it are removed and it is brought into Unicode's form NFC before its length is checked. A blank text is null if the name
 * may be null.
 */
export function Name(description: string, options: NameOptions): PropertyDecorator {
  return field(description, options, textSchema(options), [
    Transform(({ value }) => nameFromText(value, options)),
    IsString({ message: messageOf('must be text') }),
    rule('oneLine', hasNoControlCharacter, 'must not contain line breaks, tabs or other control characters'),
    rule('notDeceptive', hasNoDeceptiveCharacter, 'must not contain controls of writing direction or broken characters'),
    rule('visible', (value) => typeof value === 'string' && isVisible(value), 'must have at least one visible character'),
    ...lengthRules(options),
  ]);
}

/** A GUID in its hyphenated form, accepted in any case and converted to lower case. The all-zero GUID counts as missing. */
export function Guid(description: string, options: FieldOptions<string> = {}): PropertyDecorator {
  return field(description, options, { type: String, format: 'uuid' }, [
    Transform(({ value }) => lowerCaseGuid(value)),
    rule('guid', (value) => isGuid(value), 'must be a GUID'),
    rule('notEmptyGuid', (value) => value !== EMPTY_GUID, 'is required'),
  ]);
}

/** A list of GUIDs; `max` bounds its length. */
export function GuidList(description: string, options: ListOptions<string> = {}): PropertyDecorator {
  return field(description, options, { type: 'array', items: { type: 'string', format: 'uuid' }, ...itemBounds(options) }, [
    Transform(({ value }) => (Array.isArray(value) ? value.map(lowerCaseGuid) : value)),
    ...listRules(options),
    ValidateBy(
      { name: 'guids', validator: { validate: (value) => isGuid(value), defaultMessage: messageOf('must hold GUIDs only') } },
      { each: true },
    ),
  ]);
}

/** A list of texts. */
export function TextList(description: string, options: ListOptions<string> & { readonly maxLength: number }): PropertyDecorator {
  return field(description, options, { type: 'array', items: { type: 'string' }, ...itemBounds(options) }, [
    Transform(({ value }) => wellFormed(value)),
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
export function IntList(description: string, options: ListOptions<number> & { readonly smallest?: number } = {}): PropertyDecorator {
  const smallest = options.smallest ?? -INT32_MAX;
  return field(description, options, { type: 'array', items: { type: 'integer', format: 'int32' }, ...itemBounds(options) }, [
    ...listRules(options),
    IsInt({ each: true, message: messageOf('must hold whole numbers only') }),
    Min(smallest, { each: true, message: messageOf(`must hold numbers of at least ${smallest}`) }),
    Max(INT32_MAX, { each: true, message: messageOf(`must hold numbers of at most ${INT32_MAX}`) }),
  ]);
}

/** A whole number of 32 bits. */
export function Int(description: string, options: NumberOptions = {}): PropertyDecorator {
  return field(description, options, { type: 'integer', format: 'int32', ...numberBounds(options) }, [
    Transform(({ value }) => numberFromText(value)),
    IsInt({ message: messageOf('must be a whole number') }),
    ...rangeRules({ min: -INT32_MAX - 1, max: INT32_MAX, ...options }),
  ]);
}

/**
 * The size of a page: a number above `max` counts as `max`.
 * @param items the items of a page, as in `Devices`
 */
export function PageSize(items: string, { max, min, ...options }: PageSizeOptions): PropertyDecorator {
  const description = `${items} on a page, at most ${max.toLocaleString('en')}: a larger number counts as that.`;
  return field(description, options, { type: 'integer', format: 'int32', ...numberBounds({ min }) }, [
    Transform(({ value }) => atMost(max, numberFromText(value))),
    IsInt({ message: messageOf('must be a whole number') }),
    ...rangeRules({ min: min ?? -INT32_MAX - 1, max: INT32_MAX }),
  ]);
}

function atMost(max: number, value: unknown): unknown {
  return typeof value === 'number' && value > max && value <= INT32_MAX ? max : value;
}

/** A whole number of 64 bits that JavaScript can hold exactly. */
export function Long(description: string, options: NumberOptions = {}): PropertyDecorator {
  return field(description, options, { type: 'integer', format: 'int64', ...numberBounds(options) }, [
    Transform(({ value }) => numberFromText(value)),
    rule('safeInteger', (value) => Number.isSafeInteger(value), 'must be a whole number'),
    ...rangeRules(options),
  ]);
}

/** A number. */
export function Double(description: string, options: NumberOptions = {}): PropertyDecorator {
  return field(description, options, { type: 'number', format: 'double', ...numberBounds(options) }, [
    Transform(({ value }) => numberFromText(value)),
    IsNumber({ allowNaN: false, allowInfinity: false }, { message: messageOf('must be a number') }),
    ...rangeRules(options),
  ]);
}

/** A truth value. Query strings also accept the texts `true` and `false`. */
export function Bool(description: string, options: FieldOptions<boolean> = {}): PropertyDecorator {
  return field(description, options, { type: Boolean }, [
    Transform(({ value }) => booleanFromText(value)),
    IsBoolean({ message: messageOf('must be true or false') }),
  ]);
}

/** An instant as ISO 8601 text; text without an offset is UTC. */
export function Instant(description: string, options: FieldOptions<Date, string> = {}): PropertyDecorator {
  return field(description, options, { type: String, format: 'date-time' }, [
    Transform(({ value }) => instantFromText(value)),
    IsDate({ message: messageOf('must be a date and time in ISO 8601 form') }),
  ]);
}

/** An object of a DTO class. */
export function Nested(description: string, type: () => Type<object>, options: FieldOptions<never, object> = {}): PropertyDecorator {
  return field(
    description,
    options,
    { type: lazily(type) },
    [NestedType(type), ValidateNested(), rule('object', isPlainObject, 'must be an object')],
    type,
  );
}

/** A list of objects of one DTO class. */
export function ListOf(description: string, type: () => Type<object>, options: ListOptions<object> = {}): PropertyDecorator {
  return field(
    description,
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

/** The scanner of @nestjs/swagger recognizes a function as a deferred class only if its name is `type`. */
function lazily(classOf: () => Type<object>): () => Type<object> {
  const type = (): Type<object> => classOf();
  return type;
}

function textSchema({ min, max }: Pick<TextOptions, 'min' | 'max'>): object {
  return { type: String, ...(min === undefined ? {} : { minLength: min }), ...(max === undefined ? {} : { maxLength: max }) };
}

function lengthRules({ min, max }: Pick<TextOptions, 'min' | 'max'>): PropertyDecorator[] {
  const rules: PropertyDecorator[] = [];
  if (min !== undefined) rules.push(rule('minLength', hasAtLeast(min), `must have at least ${min} character${min === 1 ? '' : 's'}`));
  if (max !== undefined) rules.push(rule('maxLength', hasAtMost(max), `must have at most ${max} characters`));
  return rules;
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
