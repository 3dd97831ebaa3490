import { applyDecorators, type Type } from '@nestjs/common';
import type { ApiPropertyOptions } from '@nestjs/swagger';
import { registerDecorator } from 'class-validator/cjs/register-decorator.js';
import { ValidateIf } from 'class-validator/cjs/decorator/common/ValidateIf.js';

import { described } from '../described.js';
import { registerField } from './field-registry.js';

/**
 * The options of every field. Without `nullable`, `default` and `unchangedIfOmitted` a field is required. `E` is the JSON
 * form of an example.
 */
export interface FieldOptions<T, E = T> {
  /** The field may be omitted or null; both mean null. */
  readonly nullable?: boolean;
  /** The value of an omitted or null field. */
  readonly default?: T;
  /**
   * For bodies that change something: an omitted field is undefined and keeps the stored value. Null clears the stored
   * value; `default` then only documents the value that applies after that.
   */
  readonly unchangedIfOmitted?: boolean;
  /** A likely value in its JSON form. Examples of whole bodies are composed of these. */
  readonly example?: E | null;
}

/**
 * A field of a DTO class: binds, validates and describes it. `schema` is its JSON schema, `rules` are its validators,
 * `nested` is the class of an object or of list items.
 */
export function field<T, E>(
  description: string,
  options: FieldOptions<T, E>,
  schema: object,
  rules: readonly PropertyDecorator[],
  nested?: () => Type<object>,
): PropertyDecorator {
  const required = !options.nullable && options.default === undefined && !options.unchangedIfOmitted;
  const property: ApiPropertyOptions = {
    ...schema,
    description: completeDescription(description, options),
    required,
    ...(options.nullable ? { nullable: true } : {}),
    ...(options.default === undefined ? {} : { default: options.default as unknown }),
    ...(options.example === undefined ? {} : { example: options.example as unknown }),
  };
  const absent: PropertyDecorator = required
    ? rule('required', (value) => value !== undefined && value !== null, 'is required')
    : ValidateIf((_object, value) => value !== undefined && value !== null);
  const fallback: unknown = options.unchangedIfOmitted ? undefined : (options.default ?? (options.nullable ? null : undefined));
  const register: PropertyDecorator = (target, name) => {
    registerField(target, { name: String(name), fallback, ...(nested === undefined ? {} : { nested }) });
  };
  return applyDecorators(
    register,
    described(({ ApiProperty }) => ApiProperty(property)),
    absent,
    ...rules,
  );
}

/** Adds the effect of omitting the field to the description. An empty description stays empty. */
function completeDescription(description: string, { nullable, unchangedIfOmitted }: FieldOptions<unknown>): string {
  if (!unchangedIfOmitted || description === '') return description;
  return `${description} If it is left out, the stored value stays${nullable ? '; null clears it' : ''}.`;
}

/** A validation rule. The message completes the sentence "<field> …". */
export function rule(name: string, validate: (value: unknown) => boolean, message: string): PropertyDecorator {
  return (target, property) => {
    registerDecorator({
      name,
      target: target.constructor,
      propertyName: String(property),
      validator: { validate: (value: unknown) => validate(value), defaultMessage: messageOf(message) },
    });
  };
}

/** The message of a failed rule: the name of the field and what it must be. */
export function messageOf(text: string): (arguments_?: { property: string }) => string {
  return (given) => `${given?.property ?? 'The value'} ${text}.`;
}
