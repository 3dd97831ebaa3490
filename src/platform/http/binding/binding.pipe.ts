import { Injectable, type ArgumentMetadata, type PipeTransform, type Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import type { ValidationError } from 'class-validator';
import { Validator } from 'class-validator/cjs/validation/Validator.js';

import { DomainError, ErrorCode, invalidFields, type FieldErrors } from '../../common/errors/errors.js';
import { requireJsonBody } from '../bodies/json-body.js';
import { fieldsOf } from './field-registry.js';

const validator = new Validator();

/**
 * Binds a body or query to its DTO class. Names match in any case, unknown members are ignored, and omitted members get
 * their default. 400 with one entry per invalid field under `errors` (`docs/api.md`).
 */
@Injectable()
export class BindingPipe implements PipeTransform {
  transform(value: unknown, metadata: ArgumentMetadata): unknown {
    if (metadata.type === 'body') requireJsonBody(value);
    const type = metadata.metatype as Type<object> | undefined;
    if (type === undefined || (metadata.type !== 'body' && metadata.type !== 'query') || fieldsOf(type).size === 0) return value;
    if (metadata.type === 'body') return bind(type, value);
    requireGivenOnce(type, value);
    return bind(type, withoutEmpty(type, value));
  }
}

/** The message for a value that a request gives several times. */
export function givenMoreThanOnce(field: string): string {
  return `${field} is given more than once: give it once.`;
}

/** 400 when a query gives a declared value several times, in any spelling of its name. */
function requireGivenOnce(type: Type<object>, query: unknown): void {
  const fields = fieldsOf(type);
  const given = new Set<string>();
  const errors: Record<string, string[]> = {};
  for (const [key, value] of Object.entries(query ?? {}) as [string, unknown][]) {
    const name = fields.get(key.toLowerCase())?.name;
    if (name === undefined) continue;
    if (Array.isArray(value) || given.has(name)) errors[name] = [givenMoreThanOnce(name)];
    given.add(name);
  }
  if (Object.keys(errors).length > 0) throw invalidFields(errors);
}

/** A query without the empty values that may be null: a form that is sent as it is names its empty fields. */
function withoutEmpty(type: Type<object>, query: unknown): unknown {
  if (typeof query !== 'object' || query === null) return query;
  const fields = fieldsOf(type);
  return Object.fromEntries(
    Object.entries(query).filter(([key, value]) => value !== '' || fields.get(key.toLowerCase())?.fallback !== null),
  );
}

/** Reads a parsed JSON or query object as an instance of the DTO class; throws a {@link DomainError} that names every invalid field. */
export function bind<T extends object>(type: Type<T>, raw: unknown): T {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    throw new DomainError(ErrorCode.Invalid, 'A JSON object is required.', { $: ['A JSON object is required.'] });
  }
  const instance = plainToInstance(type, named(type, raw));
  const failures = validator.validateSync(instance, { forbidUnknownValues: false, stopAtFirstError: true });
  if (failures.length > 0) throw invalidFields(collect(failures));
  return instance;
}

/** The declared members of an object, under their declared names. */
function named(type: Type<object>, raw: object): Record<string, unknown> {
  const fields = fieldsOf(type);
  const result: Record<string, unknown> = {};
  for (const field of fields.values()) if (field.fallback !== undefined) result[field.name] = field.fallback;
  for (const [key, value] of Object.entries(raw) as [string, unknown][]) {
    const field = fields.get(key.toLowerCase());
    if (field === undefined || ((value === null || value === undefined) && field.fallback !== undefined)) continue;
    result[field.name] = field.nested === undefined ? value : nestedValue(field.nested(), value);
  }
  return result;
}

function nestedValue(type: Type<object>, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => nestedValue(type, item));
  return typeof value === 'object' && value !== null ? named(type, value) : value;
}

function collect(failures: readonly ValidationError[], prefix = '', errors: Record<string, string[]> = {}): FieldErrors {
  for (const failure of failures) {
    const isIndex = /^\d+$/.test(failure.property);
    const path = isIndex ? `${prefix}[${failure.property}]` : prefix === '' ? failure.property : `${prefix}.${failure.property}`;
    const messages = Object.values(failure.constraints ?? {});
    if (messages.length > 0) errors[path] = messages;
    collect(failure.children ?? [], path, errors);
  }
  return errors;
}
