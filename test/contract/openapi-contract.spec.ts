import { readFile } from 'node:fs/promises';

import { beforeAll, describe, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';

import { describeOffline } from '../../src/openapi/describe-offline.js';
import { WANTED_DIFFERENCES } from './openapi-differences.js';

/** The contract's short form of a type: a name, or an object when there is more to say. */
type ContractType = string | ContractField;

interface ContractField {
  readonly type?: string;
  readonly format?: string;
  readonly ref?: string;
  readonly items?: ContractType;
  readonly nullable?: boolean;
  readonly required?: boolean;
  /** Not in every version of the contract: the field may be missing. */
  readonly newer?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
}

interface ContractSchema {
  readonly enum?: readonly string[];
  readonly values?: readonly number[];
  readonly wire?: 'string' | 'integer';
  readonly fields?: Readonly<Record<string, ContractType>>;
}

interface ContractRoute {
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly query?: readonly (ContractField & { readonly name: string })[];
  readonly body?: string;
  readonly responses: Readonly<Record<string, ContractType | null>>;
}

interface Contract {
  readonly routes: readonly ContractRoute[];
  readonly schemas: Readonly<Record<string, ContractSchema>>;
}

/** A schema of the description; the members that these comparisons look at. */
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
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Which of the contract's short names are no schema. */
const SCALARS: Readonly<Record<string, string>> = {
  uuid: 'string(uuid)',
  'date-time': 'string(date-time)',
  int32: 'integer(int32)',
  int64: 'integer(int64)',
  double: 'number(double)',
  string: 'string',
  boolean: 'boolean',
};
const BOUNDS = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems', 'pattern'] as const;
/** Bounds that say no more than the 32-bit type does. */
const IMPLIED_BOUNDS = new Set(['minimum=-2147483648', 'maximum=2147483647']);
const PROBLEM = 'ProblemDetails';

let contract: Contract;
let description: Description;

beforeAll(async () => {
  contract = JSON.parse(await readFile(new URL('fixtures/v1.json', import.meta.url), 'utf8'));
  const { v1 }: { v1: OpenAPIObject } = await describeOffline();
  description = JSON.parse(JSON.stringify(v1));
});

function boundsOf(holder: ContractField | Schema): string {
  const bounds = BOUNDS.flatMap((name) => (holder[name] === undefined ? [] : [`${name}=${holder[name]}`]));
  return bounds
    .filter((bound) => !IMPLIED_BOUNDS.has(bound))
    .map((bound) => ` ${bound}`)
    .join('');
}

function contractTypeText(type: ContractType): string {
  if (typeof type === 'string') return SCALARS[type] ?? type;
  const nullable = type.nullable === true ? ' or null' : '';
  if (type.ref !== undefined) return `${type.ref}${nullable}`;
  const base =
    type.type === 'array'
      ? `list of ${contractTypeText(type.items ?? 'string')}`
      : `${type.type}${type.format === undefined ? '' : `(${type.format})`}`;
  return `${base}${nullable}${boundsOf(type)}`;
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

/** Sentences on what two tables of names do not have in common, or say differently. */
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

function operationOf({ method, path }: ContractRoute): Operation | undefined {
  return description.paths[path]?.[method.toLowerCase()];
}

/** The body of an answer, as one text: a type, a list, a media type, or nothing. */
function answerText(content: Readonly<Record<string, Media>> | undefined): string {
  const [media, value] = Object.entries(content ?? {})[0] ?? [];
  if (media === undefined) return 'nothing';
  return media === 'application/json' || media === 'application/problem+json' ? schemaText(value?.schema) : media;
}

function contractAnswerText(type: ContractType | null): string {
  if (type === null) return 'nothing';
  return typeof type === 'string' && type.includes('/') ? type : contractTypeText(type);
}

function routeDifferences(route: ContractRoute, operation: Operation): string[] {
  const where = `${route.method} ${route.path}`;
  const wantedQuery = new Map(
    (route.query ?? []).map((field) => [field.name, `${contractTypeText(field)}${field.required ? ', required' : ''}`]),
  );
  const query = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
  const givenQuery = new Map(query.map(({ name, schema, required }) => [name, `${schemaText(schema)}${required ? ', required' : ''}`]));
  const wantedPath = new Map([...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, 'in the path']));
  const givenPath = new Map(
    (operation.parameters ?? []).filter((parameter) => parameter.in === 'path').map(({ name }) => [name, 'in the path']),
  );
  const wantedAnswers = new Map(Object.entries(route.responses).map(([status, type]) => [status, contractAnswerText(type)]));
  const givenAnswers = new Map(Object.entries(operation.responses).map(([status, { content }]) => [status, answerText(content)]));
  const wantedBody = new Map([['body', route.body?.startsWith('multipart') ? 'multipart/form-data' : (route.body ?? 'nothing')]]);
  const givenBody = new Map([['body', answerText(operation.requestBody?.content)]]);
  return [
    ...compare(where, new Map([['tag', route.tag]]), new Map([['tag', operation.tags?.join() ?? '']])),
    ...compare(`${where} query`, wantedQuery, givenQuery),
    ...compare(`${where} path`, wantedPath, givenPath),
    ...compare(where, wantedBody, givenBody),
    ...compare(`${where} answers`, wantedAnswers, givenAnswers),
  ];
}

/** The names of the schemas that requests use; of all others every member is required, because answers leave nothing out. */
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

function schemaDifferences(name: string, wanted: ContractSchema, given: Schema, isSent: boolean): string[] {
  const where = `schema ${name}`;
  if (wanted.enum !== undefined) {
    const members: readonly (string | number)[] = wanted.wire === 'integer' ? (wanted.values ?? []) : wanted.enum;
    return compare(where, new Map([['members', members.join()]]), new Map([['members', given.enum?.join() ?? 'none']]));
  }
  const wantedFields = new Map<string, string>();
  for (const [field, type] of Object.entries(wanted.fields ?? {})) {
    const details: ContractField = typeof type === 'string' ? {} : type;
    if (details.newer && given.properties?.[field] === undefined) continue;
    wantedFields.set(field, `${contractTypeText(type)}${!isSent || details.required ? ', required' : ''}`);
  }
  const givenFields = new Map(
    Object.entries(given.properties ?? {}).map(([field, schema]) => [
      field,
      `${schemaText(schema)}${given.required?.includes(field) ? ', required' : ''}`,
    ]),
  );
  return compare(where, wantedFields, givenFields);
}

describe('the description v1, against the contract', () => {
  it('differs where it is wanted, and nowhere else', () => {
    const found: string[] = [];
    for (const route of contract.routes) {
      const operation = operationOf(route);
      if (operation !== undefined) found.push(...routeDifferences(route, operation));
    }
    const sent = sentSchemas();
    for (const [name, given] of Object.entries(description.components.schemas)) {
      const wanted = contract.schemas[name];
      if (wanted === undefined) found.push(`schema ${name} is added`);
      else if (name !== PROBLEM) found.push(...schemaDifferences(name, wanted, given, sent.has(name)));
    }
    expect(found.sort()).toEqual(Object.keys(WANTED_DIFFERENCES).sort());
  });

  it('gives a reason for each difference', () => {
    for (const [difference, reason] of Object.entries(WANTED_DIFFERENCES)) expect({ difference, reason }).not.toHaveProperty('reason', '');
  });

  it('has no operation that the contract does not have', () => {
    const known = new Set(contract.routes.map(({ method, path }) => `${method} ${path}`));
    const given = Object.entries(description.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(given.filter((operation) => !known.has(operation))).toEqual([]);
    expect(given.length).toBeGreaterThan(0);
  });

  it('has the members of Problem Details that every error carries', () => {
    const problem = description.components.schemas[PROBLEM];
    const members = Object.keys(contract.schemas[PROBLEM]?.fields ?? {}).filter((field) => field !== 'instance');
    expect(Object.keys(problem?.properties ?? {}).sort()).toEqual(members.sort());
    expect(problem?.required).toEqual(['type', 'title', 'status']);
  });
});
