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

/** The named schemas in alphabetical order, so that the document does not change with the order of modules. */
export function pick(schemas: Schemas, names: ReadonlySet<string>): Schemas {
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => names.has(name)).sort(byName));
}

/** An object schema whose members are all written, as those of every answer are: null stands for no value. */
export function withEveryMember(schema: Schemas[string]): Schemas[string] {
  if ('$ref' in schema || schema.properties === undefined) return schema;
  return { ...schema, required: Object.keys(schema.properties) };
}

/**
 * The document with `allOf` of a single reference written as that reference, which version 3.1 allows to have neighbours, and without
 * members that have no value: what it holds is what its JSON text says.
 */
export function simplified(document: OpenAPIObject): OpenAPIObject {
  const result: OpenAPIObject = JSON.parse(JSON.stringify(document), (_key, value: unknown) => referenceInstead(value));
  return result;
}

/** A schema with its example, and those of its parts, in the list that version 3.1 has for them. */
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

/** A parameter that may be left out, which is how a path or query says null. */
export function withoutNull(parameter: Parameter): Parameter {
  if ('$ref' in parameter || parameter.schema === undefined || '$ref' in parameter.schema) return parameter;
  const { type, ...schema } = parameter.schema;
  if (!Array.isArray(type)) return parameter;
  const [only, ...others] = type.filter((name) => name !== 'null');
  return { ...parameter, schema: { ...schema, type: others.length === 0 ? only : [only, ...others] } };
}

/** An enumeration with its own description: the scanner takes that of the field which it reads first. */
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
