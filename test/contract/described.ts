/*
 * Walks over an OpenAPI document and lists everything that is not described.
 */

/** The members of a schema that the walk uses. */
export interface DescribedSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly items?: DescribedSchema;
  readonly anyOf?: readonly DescribedSchema[];
  readonly properties?: Readonly<Record<string, DescribedSchema>>;
  readonly additionalProperties?: unknown;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
}

interface DescribedMedia {
  readonly schema?: DescribedSchema;
  readonly example?: unknown;
}

type Content = Readonly<Record<string, DescribedMedia>>;

interface DescribedOperation {
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly { readonly name: string; readonly description?: string; readonly schema?: DescribedSchema }[];
  readonly requestBody?: { readonly content: Content };
  readonly security?: readonly object[];
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description?: string;
        readonly content?: Content;
        readonly headers?: Readonly<Record<string, { readonly description?: string }>>;
      }
    >
  >;
}

/** The members of an OpenAPI document that contain text. */
export interface DescribedDocument {
  readonly info: { readonly description?: string };
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, DescribedSchema>> };
}

/** Something that is missing or wrong, and the group of its operation. */
export interface Hole {
  readonly group: string;
  readonly what: string;
}

type Schemas = DescribedDocument['components']['schemas'];

const PREFIX = '#/components/schemas/';
/** A summary is in the imperative: "List the tags", not "Lists the tags" and not just a noun. */
const SUMMARY = /^[A-Z][a-z]*(?:[^s\W]|ss) .*[^.\s]$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Every hole of a document. A hole in a schema that several groups use is reported for each of them. */
export function holesIn(document: DescribedDocument): readonly Hole[] {
  const { schemas } = document.components;
  const holes: Hole[] = [];
  const summaries = new Map<string, string>();
  const groups = new Set<string>();
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const where = `${method.toUpperCase()} ${path}`;
      const group = operation.tags?.[0] ?? '';
      groups.add(group);
      const found = operationHoles(operation, schemas);
      const other = summaries.get(operation.summary ?? '');
      if (other !== undefined) found.push(`the summary is that of ${other}, too`);
      if (operation.summary) summaries.set(operation.summary, where);
      holes.push(...found.map((what) => ({ group, what: `${where}: ${what}` })));
    }
  }
  const sentences = new Map((document.tags ?? []).map(({ name, description }) => [name, description]));
  for (const group of groups) if (!sentences.get(group)) holes.push({ group, what: `group ${group}: no sentence` });
  if (!document.info.description) holes.push({ group: '', what: 'no introduction' });
  return holes.filter((hole, at) => holes.findIndex((other) => other.group === hole.group && other.what === hole.what) === at);
}

function operationHoles(operation: DescribedOperation, schemas: Schemas): string[] {
  const { summary = '', description = '', parameters = [], requestBody, responses } = operation;
  const holes: string[] = [];
  if (!SUMMARY.test(summary)) holes.push(`the summary is no imperative without a dot: "${summary}"`);
  // Text derived from the route starts with a bold word. The route's own description comes before it.
  if (description === '' || description.startsWith('**')) holes.push('no description');
  for (const { name, description: words, schema = {} } of parameters) {
    if (!words) holes.push(`parameter ${name}: no description`);
    if (needsExample(schema)) holes.push(`parameter ${name}: no example`);
  }
  if (requestBody !== undefined) holes.push(...contentHoles('the body', requestBody.content, schemas));
  for (const [status, { description: meaning, content = {}, headers = {} }] of Object.entries(responses)) {
    if (!meaning) holes.push(`${status}: no meaning`);
    holes.push(...contentHoles(status, content, schemas));
    for (const [header, { description: words }] of Object.entries(headers))
      if (!words) holes.push(`${status}: header ${header}: no description`);
  }
  return holes;
}

function contentHoles(where: string, content: Content, schemas: Schemas): string[] {
  return Object.entries(content).flatMap(([mediaType, { schema = {}, example }]) => {
    if (schema.format === 'binary') return [];
    const misfits = example === undefined ? [] : misfitsOf(example, schema, schemas).map((misfit) => `${where}: the example${misfit}`);
    // A form contains a file, which has no example as text.
    const isMissing = example === undefined && mediaType !== 'multipart/form-data';
    return [...(isMissing ? [`${where}: no example`] : []), ...misfits, ...propertyHoles(where, schema, schemas, new Set())];
  });
}

function propertyHoles(where: string, schema: DescribedSchema, schemas: Schemas, seen: Set<string>): string[] {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(PREFIX.length);
    if (seen.has(name)) return [];
    seen.add(name);
    return propertyHoles(name, schemas[name] ?? {}, schemas, seen);
  }
  const properties = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => [
    ...(property.description ? [] : [`${where}.${name}: no description`]),
    ...(needsExample(property) ? [`${where}.${name}: no example`] : []),
    ...propertyHoles(`${where}.${name}`, property, schemas, seen),
  ]);
  const parts = [...(schema.items === undefined ? [] : [schema.items]), ...(schema.anyOf ?? [])];
  return [...properties, ...parts.flatMap((part) => propertyHoles(where, part, schemas, seen))];
}

/** Checks whether only an example can show what a text, or each text of a list, looks like. */
function needsExample(schema: DescribedSchema): boolean {
  if (schema.examples !== undefined) return isBlank(schema.examples[0]);
  if (schema.enum !== undefined || schema.format === 'uuid' || schema.format === 'date-time' || schema.format === 'binary') return false;
  if (schema.items !== undefined) return needsExample(schema.items);
  return typesOf(schema).includes('string');
}

/** Checks whether an example is still a placeholder. */
function isBlank(example: unknown): boolean {
  return example === undefined || example === '';
}

/** The places where a value does not fit a schema. Each completes the phrase "the example". */
export function misfitsOf(value: unknown, schema: DescribedSchema, schemas: Schemas): readonly string[] {
  if (schema.$ref !== undefined) return misfitsOf(value, schemas[schema.$ref.slice(PREFIX.length)] ?? {}, schemas);
  if (schema.anyOf !== undefined) {
    const fits = schema.anyOf.some((option) => misfitsOf(value, option, schemas).length === 0);
    return fits ? [] : [' fits no alternative'];
  }
  const types = typesOf(schema);
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) return [` is no ${types.join(' or ')}`];
  if (schema.enum !== undefined && !schema.enum.includes(value)) return [` is none of ${schema.enum.join(', ')}`];
  if (typeof value === 'number') return outside(value, schema.minimum, schema.maximum, 'value');
  if (typeof value === 'string') return textMisfits(value, schema);
  if (Array.isArray(value)) {
    const items = value.flatMap((item, at) => misfitsOf(item, schema.items ?? {}, schemas).map((misfit) => `[${at}]${misfit}`));
    return [...outside(value.length, schema.minItems, schema.maxItems, 'number of items'), ...items];
  }
  return typeof value === 'object' && value !== null ? objectMisfits(value, schema, schemas) : [];
}

function objectMisfits(
  value: object,
  { properties = {}, required = [], additionalProperties }: DescribedSchema,
  schemas: Schemas,
): string[] {
  const missing = required.filter((name) => !(name in value)).map((name) => ` has no ${name}`);
  const members = Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    const property = properties[name];
    if (property === undefined) return additionalProperties === undefined ? [` has an unknown member ${name}`] : [];
    return misfitsOf(member, property, schemas).map((misfit) => `.${name}${misfit}`);
  });
  return [...missing, ...members];
}

function textMisfits(value: string, { format, pattern, minLength, maxLength }: DescribedSchema): string[] {
  const misfits = outside(value.length, minLength, maxLength, 'length');
  if (format === 'uuid' && !UUID.test(value)) misfits.push(' is no GUID');
  if (format === 'date-time' && Number.isNaN(Date.parse(value))) misfits.push(' is no date and time');
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) misfits.push(' does not match the pattern');
  return misfits;
}

function outside(value: number, min = -Infinity, max = Infinity, what: string): string[] {
  return value < min || value > max ? [` has a ${what} of ${value}`] : [];
}

function typesOf({ type }: DescribedSchema): readonly string[] {
  if (type === undefined) return [];
  return typeof type === 'string' ? [type] : type;
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}
