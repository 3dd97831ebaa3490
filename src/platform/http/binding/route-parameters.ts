import { NotFoundException, Param } from '@nestjs/common';

import { isGuid } from '../../common/identifiers/guid.js';
import { described } from '../described.js';
import { INT32_MAX } from './fields.js';

/** Metadata key of a handler's path segments. */
export const PATH_SEGMENTS = Symbol('path segments');

/** Converts a path segment into its value; null when the segment does not have the right form, so no route matches. */
type SegmentReader = (segment: string) => unknown;

/** A path segment that is a hyphenated GUID in any case. The handler gets it in lower case. */
export function GuidParam(name: string, description: string): ParameterDecorator {
  return segment(name, description, { type: 'string', format: 'uuid' });
}

/** A path segment that is a whole number of 32 bits. */
export function IntParam(name: string, description: string): ParameterDecorator {
  return segment(name, description, { type: 'integer', format: 'int32' });
}

/** A path segment of any text. The reference shows the example. */
export function TextParam(name: string, description: string, example: string): ParameterDecorator {
  return segment(name, description, { type: 'string', example });
}

/** The names of a handler's GUID segments. */
export function guidParametersOf(handler: object): readonly string[] {
  return named(handler, 'uuid');
}

/** The names of a handler's whole-number segments. */
export function intParametersOf(handler: object): readonly string[] {
  return named(handler, 'int32');
}

interface SegmentSchema {
  readonly type: string;
  readonly format?: string;
  readonly example?: string;
}

const readers: Readonly<Record<string, SegmentReader>> = {
  uuid: (text) => text.toLowerCase(),
  int32: (text) => Number(text),
};

/** 404: a path segment does not have the form that its route declares. The message describes that form. */
export class MalformedPath extends NotFoundException {
  constructor(name: string, form: string) {
    super(`There is no such route: ${name} in the path must be ${form}.`);
  }
}

/** Throws {@link MalformedPath} unless the path segment is a GUID. */
export function requireGuidSegment(name: string, value: unknown): void {
  if (!isGuid(value)) throw new MalformedPath(name, 'a GUID with hyphens, such as 01234567-89ab-cdef-0123-456789abcdef');
}

/** Throws {@link MalformedPath} unless the path segment is a whole number of 32 bits. */
export function requireInt32Segment(name: string, value: unknown): void {
  if (typeof value !== 'string' || !isInt32(value)) throw new MalformedPath(name, 'a whole number of 32 bits');
}

function isInt32(text: string): boolean {
  return /^-?\d{1,10}$/.test(text) && Math.abs(Number(text)) <= INT32_MAX;
}

function segment(name: string, description: string, schema: SegmentSchema): ParameterDecorator {
  return (target, key, index) => {
    if (key === undefined) return;
    const handler = (target as Record<string | symbol, object>)[key];
    const known =
      (Reflect.getOwnMetadata(PATH_SEGMENTS, handler) as Map<string, SegmentSchema> | undefined) ?? new Map<string, SegmentSchema>();
    Reflect.defineMetadata(PATH_SEGMENTS, known.set(name, schema), handler);
    const descriptor = Object.getOwnPropertyDescriptor(target, key);
    const parameter = { name, description, schema: { ...schema }, required: true };
    if (descriptor !== undefined) described(({ ApiParam }) => ApiParam(parameter))(target, key, descriptor);
    const read = schema.format === undefined ? undefined : readers[schema.format];
    Param(name, ...(read === undefined ? [] : [{ transform: (text: string) => read(text) }]))(target, key, index);
  };
}

function named(handler: object, format: string): readonly string[] {
  const known = Reflect.getOwnMetadata(PATH_SEGMENTS, handler) as Map<string, SegmentSchema> | undefined;
  return [...(known ?? [])].filter(([, schema]) => schema.format === format).map(([name]) => name);
}
