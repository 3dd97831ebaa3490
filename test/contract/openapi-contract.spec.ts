import { beforeAll, describe, expect, it } from 'vitest';
import type { OpenAPIObject } from '@nestjs/swagger';

import { describeOffline } from '../../src/describe-offline.js';
import { resources, schemas } from '../routes/index.js';
import type { Resource, Route, Schema as WantedSchema } from '../routes/resource.js';
import { WANTED_DIFFERENCES } from './openapi-differences.js';

/** A schema of the description, with the members that are compared. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly enum?: readonly (string | number)[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
}

interface Media {
  readonly schema?: Schema;
}

interface Operation {
  readonly tags?: readonly string[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required?: boolean; readonly schema?: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, Media>>; readonly headers?: Readonly<Record<string, unknown>> }>
  >;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const BOUNDS = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems', 'pattern'] as const;
/** Bounds that repeat those of the 32-bit type. */
const IMPLIED_BOUNDS = new Set(['minimum=-2147483648', 'maximum=2147483647']);
const PROBLEM = 'ProblemDetails';

let description: Description;

beforeAll(async () => {
  const { v1 }: { v1: OpenAPIObject } = await describeOffline();
  description = JSON.parse(JSON.stringify(v1));
});

function boundsOf(holder: Schema): string {
  const bounds = BOUNDS.flatMap((name) => (holder[name] === undefined ? [] : [`${name}=${holder[name]}`]));
  return bounds
    .filter((bound) => !IMPLIED_BOUNDS.has(bound))
    .map((bound) => ` ${bound}`)
    .join('');
}

function schemaText(schema: Schema | undefined): string {
  if (schema === undefined) return 'nothing';
  if (schema.$ref !== undefined) return schema.$ref.slice('#/components/schemas/'.length);
  if (schema.anyOf !== undefined) return schema.anyOf.map((option) => (option.type === 'null' ? 'null' : schemaText(option))).join(' or ');
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  const nullable = types.includes('null') ? ' or null' : '';
  const [type] = types.filter((name) => name !== 'null');
  const base =
    type === 'array' ? `list of ${schemaText(schema.items)}` : `${type}${schema.format === undefined ? '' : `(${schema.format})`}`;
  return `${base}${nullable}${boundsOf(schema)}`;
}

/** Sentences about the differences between two tables of names. */
function compare(where: string, wanted: ReadonlyMap<string, string>, given: ReadonlyMap<string, string>): string[] {
  const sentences: string[] = [];
  for (const [name, text] of wanted) {
    const other = given.get(name);
    if (other === undefined) sentences.push(`${where}: ${name} is missing`);
    else if (other !== text) sentences.push(`${where}: ${name} is ${other} instead of ${text}`);
  }
  for (const name of given.keys()) if (!wanted.has(name)) sentences.push(`${where}: ${name} is added`);
  return sentences;
}

/** The rows of version 1, with the tag of their resource. */
function rows(): { readonly key: string; readonly tag: string; readonly route: Route; readonly operation: Operation | undefined }[] {
  return resources.flatMap(({ tag, routes }: Resource) =>
    tag === undefined
      ? []
      : Object.entries(routes).map(([name, route]) => {
          const [method, path] = name.replaceAll(/:(\w+)/g, '{$1}').split(' ');
          return { key: `${method} ${path}`, tag, route, operation: description.paths[path]?.[method.toLowerCase()] };
        }),
  );
}

/** The body of an answer as one text: a type, a list, a media type, or nothing. */
function answerText(content: Readonly<Record<string, Media>> | undefined): string {
  const [media, value] = Object.entries(content ?? {})[0] ?? [];
  if (media === undefined) return 'nothing';
  return media === 'application/json' || media === 'application/problem+json' ? schemaText(value?.schema) : media;
}

/** The parameters of a kind by name, each with its type and whether it is required. */
function parametersIn(place: string, { parameters = [] }: Operation): Map<string, string> {
  const chosen = parameters.filter((parameter) => parameter.in === place);
  return new Map(chosen.map(({ name, schema, required }) => [name, `${schemaText(schema)}${required ? ', required' : ''}`]));
}

function wantedQuery({ tenant, query }: Route): Map<string, string> {
  const named: Record<string, string> = tenant === 'query' ? { tenantId: 'string(uuid), required' } : {};
  return new Map(Object.entries({ ...named, ...query }));
}

function wantedAnswers({ access, tenant, answers = {}, errors = [] }: Route): Map<string, string> {
  const hasTenant = tenant !== undefined && tenant !== 'path, as the object';
  const refusals = [...errors, ...(access === 'anonymous' ? [] : [401]), ...(hasTenant ? [404] : []), 500];
  return new Map([...Object.entries(answers), ...refusals.map((status): [string, string] => [String(status), PROBLEM])]);
}

function routeDifferences({ key, tag, route, operation }: ReturnType<typeof rows>[number]): string[] {
  if (operation === undefined) return route.call === undefined ? [] : [`${key} is missing`];
  const wantedPath = [...key.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const givenAnswers = Object.entries(operation.responses).map(([status, { content }]): [string, string] => [status, answerText(content)]);
  const text = (name: string, value: string): Map<string, string> => new Map([[name, value]]);
  return [
    ...compare(key, text('tag', tag), text('tag', operation.tags?.join() ?? '')),
    ...compare(`${key} header`, new Map(), parametersIn('header', operation)),
    ...compare(`${key} query`, wantedQuery(route), parametersIn('query', operation)),
    ...compare(key, text('path', wantedPath.sort().join()), text('path', [...parametersIn('path', operation).keys()].sort().join())),
    ...compare(key, text('body', route.body ?? 'nothing'), text('body', answerText(operation.requestBody?.content))),
    ...compare(`${key} answers`, wantedAnswers(route), new Map(givenAnswers)),
  ];
}

/** The names of the schemas that requests use. All others require every member, because answers omit none. */
function sentSchemas(): ReadonlySet<string> {
  const found = new Set<string>();
  const look = (node: unknown): void => {
    for (const [, name] of JSON.stringify(node ?? null).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (found.has(name)) continue;
      found.add(name);
      look(description.components.schemas[name]);
    }
  };
  for (const item of Object.values(description.paths))
    for (const { requestBody, parameters } of Object.values(item)) look([requestBody, parameters]);
  return found;
}

function schemaDifferences(name: string, wanted: WantedSchema, given: Schema, isSent: boolean): string[] {
  const where = `schema ${name}`;
  const members = Object.entries(wanted);
  const isEnumeration = Array.isArray(wanted) || members.some(([, value]) => typeof value === 'number');
  if (isEnumeration) {
    const values = members.map(([, value]) => value);
    return compare(where, new Map([['members', values.join()]]), new Map([['members', given.enum?.join() ?? 'none']]));
  }
  const requiredAnyhow = isSent ? '' : ', required';
  const givenFields = Object.entries(given.properties ?? {}).map(([field, schema]): [string, string] => [
    field,
    `${schemaText(schema)}${given.required?.includes(field) ? ', required' : ''}`,
  ]);
  return compare(where, new Map(members.map(([field, type]) => [field, `${type}${requiredAnyhow}`])), new Map(givenFields));
}

describe('the description of version 1', () => {
  it('shows ETag in the answers that carry a tag, and in no other', () => {
    for (const { key, route, operation } of rows()) {
      const carrying = Object.entries(operation?.responses ?? {}).filter(([, { headers }]) => headers !== undefined && 'ETag' in headers);
      expect([key, carrying.map(([status]) => Number(status))]).toEqual([key, route.tagged ?? []]);
    }
  });

  it('differs from test/routes only as listed', () => {
    const found = rows().flatMap(routeDifferences);
    const sent = sentSchemas();
    const described = description.components.schemas;
    for (const name of Object.keys(schemas)) if (described[name] === undefined) found.push(`schema ${name} is missing`);
    for (const [name, given] of Object.entries(described)) {
      const wanted = schemas[name];
      if (wanted === undefined) found.push(`schema ${name} is added`);
      else if (name !== PROBLEM) found.push(...schemaDifferences(name, wanted, given, sent.has(name)));
    }
    expect(found.sort()).toEqual(Object.keys(WANTED_DIFFERENCES).sort());
  });

  it('gives a reason for each difference', () => {
    for (const [difference, reason] of Object.entries(WANTED_DIFFERENCES)) expect({ difference, reason }).not.toHaveProperty('reason', '');
  });

  it('has no operation that test/routes does not have', () => {
    const known = new Set(rows().map(({ key }) => key));
    const given = Object.entries(description.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(given.filter((operation) => !known.has(operation))).toEqual([]);
    expect(given.length).toBeGreaterThan(0);
  });

  it('describes the members of Problem Details', () => {
    const problem = description.components.schemas[PROBLEM];
    const members = Object.keys(schemas[PROBLEM] ?? {}).filter((field) => field !== 'instance');
    expect(Object.keys(problem?.properties ?? {}).sort()).toEqual(members.sort());
    expect(problem?.required).toEqual(['type', 'title', 'status']);
  });
});
