import { createHash } from 'node:crypto';

/** The members of a JSON schema that determine its example. */
export interface ExampleSchema {
  readonly $ref?: string;
  readonly anyOf?: readonly ExampleSchema[];
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly 'x-enum-varnames'?: readonly string[];
  /** Expected to be a list, but some tools write other values here. */
  readonly examples?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: ExampleSchema;
  readonly properties?: Readonly<Record<string, ExampleSchema>>;
}

type Schemas = Readonly<Record<string, ExampleSchema>>;

const PREFIX = '#/components/schemas/';
const INSTANT = '2026-03-09T14:30:00.000Z';
/** A member that stands for a missing value and so makes a poor example. */
const UNKNOWN = 'Unknown';

/**
 * An example of a schema, composed of the examples and defaults of its parts. It is deterministic, avoids null where a
 * value is possible, and has one item in each list. `name` is the property that holds the value; ids with the same name
 * get the same example. Undefined for bytes, and for a schema inside itself.
 */
export function exampleOf(schema: ExampleSchema, schemas: Schemas, name = '', path: readonly string[] = []): unknown {
  if (Array.isArray(schema.examples)) return schema.examples[0];
  if (isTelling(schema.default)) return schema.default;
  if (schema.$ref !== undefined) {
    const target = schema.$ref.slice(PREFIX.length);
    return path.includes(target) ? undefined : exampleOf(schemas[target], schemas, name, [...path, target]);
  }
  if (schema.anyOf !== undefined) {
    const [first] = schema.anyOf.filter(({ type }) => type !== 'null');
    return exampleOf(first, schemas, name, path);
  }
  if (schema.enum !== undefined) return memberOf(schema.enum, schema['x-enum-varnames']);
  switch (typeOf(schema) ?? '') {
    case 'object':
      return objectOf(schema, schemas, path);
    case 'array':
      return [exampleOf(schema.items ?? {}, schemas, name.replace(/s$/, ''), path)].filter((item) => item !== undefined);
    case 'integer':
    case 'number':
      return Math.min(Math.max(1, schema.minimum ?? 1), schema.maximum ?? Infinity);
    case 'boolean':
      return true;
    case 'string':
      return textOf(schema.format, name);
    default:
      return undefined;
  }
}

/** An id that depends only on the name. */
export function exampleGuid(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return `019a5b3c-${hex.slice(0, 4)}-7${hex.slice(4, 7)}-8${hex.slice(7, 10)}-${hex.slice(10, 22)}`;
}

/** Checks that a default shows a typical value. Null, empty lists and empty texts do not. */
function isTelling(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
}

function typeOf({ type, properties }: ExampleSchema): string | undefined {
  if (type === undefined) return properties === undefined ? undefined : 'object';
  return typeof type === 'string' ? type : type.find((candidate) => candidate !== 'null');
}

function objectOf({ properties = {} }: ExampleSchema, schemas: Schemas, path: readonly string[]): object {
  const members = Object.entries(properties).map(([name, property]) => [name, exampleOf(property, schemas, name, path)] as const);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

function memberOf(members: readonly unknown[], names: readonly string[] = []): unknown {
  return members.find((member, at) => member !== null && (names[at] ?? member) !== UNKNOWN) ?? members[0];
}

function textOf(format: string | undefined, name: string): string | undefined {
  switch (format ?? '') {
    case 'uuid':
      return exampleGuid(name);
    case 'date-time':
      return INSTANT;
    case 'binary':
      return undefined;
    default:
      return name;
  }
}
