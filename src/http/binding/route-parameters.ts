import { Param } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';

import { INT32_MAX } from './fields.js';

const PARAMETERS = Symbol('route parameters');

/** Turns the text of a path segment into its value; null when the segment cannot be one, so that there is no such route. */
type SegmentReader = (segment: string) => unknown;

/** A path segment that is a GUID (hyphenated, any case; the handler gets it in lower case). */
export function GuidParam(name: string, description: string): ParameterDecorator {
  return segment(name, description, { type: 'string', format: 'uuid' });
}

/** A path segment that is a whole number of 32 bits. */
export function IntParam(name: string, description: string): ParameterDecorator {
  return segment(name, description, { type: 'integer', format: 'int32' });
}

/** A path segment that is any text; the reference shows the example. */
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

/** Whether a path segment can be a whole number of 32 bits. */
export function isInt32(text: string): boolean {
  return /^-?\d{1,10}$/.test(text) && Math.abs(Number(text)) <= INT32_MAX;
}

function segment(name: string, description: string, schema: SegmentSchema): ParameterDecorator {
  return (target, key, index) => {
    if (key === undefined) return;
    const handler = (target as Record<string | symbol, object>)[key];
    const known =
      (Reflect.getOwnMetadata(PARAMETERS, handler) as Map<string, SegmentSchema> | undefined) ?? new Map<string, SegmentSchema>();
    Reflect.defineMetadata(PARAMETERS, known.set(name, schema), handler);
    const descriptor = Object.getOwnPropertyDescriptor(target, key);
    if (descriptor !== undefined) ApiParam({ name, description, schema: { ...schema }, required: true })(target, key, descriptor);
    const read = schema.format === undefined ? undefined : readers[schema.format];
    Param(name, ...(read === undefined ? [] : [{ transform: (text: string) => read(text) }]))(target, key, index);
  };
}

function named(handler: object, format: string): readonly string[] {
  const known = Reflect.getOwnMetadata(PARAMETERS, handler) as Map<string, SegmentSchema> | undefined;
  return [...(known ?? [])].filter(([, schema]) => schema.format === format).map(([name]) => name);
}
