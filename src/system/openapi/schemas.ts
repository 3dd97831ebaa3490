import type { OpenAPIObject } from '@nestjs/swagger';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;
type SchemaObject = Exclude<Schemas[string], { $ref: string }>;
type Parameter = NonNullable<NonNullable<OpenAPIObject['paths'][string]['get']>['parameters']>[number];

const PREFIX = '#/components/schemas/';

/** The names of the schemas that a part of a document refers to, directly or through other schemas. */
export function reachableFrom(part: unknown, schemas: Schemas): Set<string> {
  const found = new Set<string>();
  const look = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (key !== '$ref' || typeof value !== 'string') look(value);
      else if (value.startsWith(PREFIX)) visit(value.slice(PREFIX.length));
    }
  };
  const visit = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    look(schemas[name]);
  };
  look(part);
  return found;
}

/** The named schemas in alphabetical order, so the document does not depend on the order of modules. */
export function pick(schemas: Schemas, names: ReadonlySet<string>): Schemas {
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => names.has(name)).sort(byName));
}

/** An object schema that requires every member, for answers, which write a missing value as null. */
export function withEveryMember(schema: Schemas[string]): Schemas[string] {
  if ('$ref' in schema || schema.properties === undefined) return schema;
  return { ...schema, required: Object.keys(schema.properties) };
}

/**
 * Simplifies a document: replaces an `allOf` of a single reference by the reference, which version 3.1 allows to have
 * siblings, and removes undefined members, so the object equals its JSON text.
 */
export function simplified(document: OpenAPIObject): OpenAPIObject {
  const result: OpenAPIObject = JSON.parse(JSON.stringify(document), (_key, value: unknown) => referenceInstead(value));
  return result;
}

/** Moves the examples of a schema and of its parts into the `examples` lists of version 3.1. */
export function withExampleList(schema: Schemas[string]): Schemas[string] {
  if ('$ref' in schema && !('example' in schema)) return schema;
  const { example, properties, items, ...rest }: SchemaObject = schema;
  return {
    ...rest,
    ...(example === undefined ? {} : { examples: [example as unknown] }),
    ...(properties === undefined ? {} : { properties: mapValues(properties, withExampleList) }),
    ...(items === undefined ? {} : { items: withExampleList(items) }),
  };
}

function referenceInstead(node: unknown): unknown {
  if (typeof node !== 'object' || node === null || !('allOf' in node) || !Array.isArray(node.allOf) || node.allOf.length !== 1) return node;
  const {
    allOf: [reference],
    ...neighbours
  } = node;
  return Object.assign({}, reference, neighbours);
}

/** Removes null from an optional parameter, because a path or query omits a parameter instead of sending null. */
export function withoutNull(parameter: Parameter): Parameter {
  if ('$ref' in parameter || parameter.schema === undefined || '$ref' in parameter.schema) return parameter;
  const { type, ...schema } = parameter.schema;
  if (!Array.isArray(type)) return parameter;
  const [only, ...others] = type.filter((name) => name !== 'null');
  return { ...parameter, schema: { ...schema, type: others.length === 0 ? only : [only, ...others] } };
}

/** Gives an enumeration its own description. The scanner takes the description of the first field that it reads. */
export function withOwnDescription(schema: Schemas[string]): Schemas[string] {
  if ('$ref' in schema || schema.enum === undefined) return schema;
  const { description: _borrowed, 'x-description': description, ...own }: typeof schema & { 'x-description'?: string } = schema;
  return description === undefined ? own : { ...own, description };
}

function mapValues<T>(values: Readonly<Record<string, T>>, change: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
