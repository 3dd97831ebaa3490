import { EMPTY_GUID } from '../../../src/platform/common/identifiers/guid.js';

/** The schema of a value, with the members that this test uses. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly enum?: readonly (string | number)[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly pattern?: string;
  readonly default?: unknown;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

export interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** The API description as it is served. */
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** A value for a field; `undefined` omits the field. */
export interface GivenValue {
  readonly what: string;
  readonly value: unknown;
}

/** A field of a body, with invalid values. */
export interface DescribedField {
  /** Member names and list positions from the body to the field. */
  readonly place: readonly (string | number)[];
  readonly wrong: readonly GivenValue[];
  /** Values at the limits of the field. */
  readonly extremes: readonly GivenValue[];
  /** True if a text or list has no maximum length. */
  readonly isBoundless: boolean;
}

/** A member of a body. */
export interface BodyMember {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  readonly isNullable: boolean;
}

/** A query parameter with invalid values. */
export interface WrongQuery {
  readonly name: string;
  readonly what: string;
  /** Each is sent alone; an empty list omits the parameter. */
  readonly values: readonly string[];
}

const INT32_MAX = 2_147_483_647;
/** In a list, it is one more unknown id. Alone, it counts as a missing value. */
const ZEROS = 'all zeros';
const NUL = '\0';

/** Reads from the description the permitted contents of requests, and generates others. */
export class DescribedInputs {
  constructor(private readonly description: Description) {}

  /** The operation of a route; undefined for routes outside the description. */
  operation({ method, path }: { readonly method: string; readonly path: string }): Operation | undefined {
    return this.description.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
  }

  /** The members of a JSON body. */
  bodyMembers(operation: Operation): BodyMember[] {
    const body = operation.requestBody?.content['application/json']?.schema;
    if (body === undefined) return [];
    const { properties = {}, required = [] } = this.resolved(body).schema;
    return Object.entries(properties).map(([name, member]) => {
      const { schema, isNullable } = this.resolved(member);
      return { name, schema: { ...schema, default: member.default }, isRequired: required.includes(name), isNullable };
    });
  }

  /** The fields of a JSON body, including those of nested objects and lists. */
  bodyFields(operation: Operation): DescribedField[] {
    const schema = operation.requestBody?.content['application/json']?.schema;
    return schema === undefined ? [] : this.fieldsOf(schema, []);
  }

  /** Invalid values of the query parameters. */
  wrongQueries(operation: Operation): WrongQuery[] {
    return (operation.parameters ?? [])
      .filter((parameter) => parameter.in === 'query')
      .flatMap(({ name, schema, required }) => {
        const inText = this.wrongValues(schema).flatMap(({ what, value }) =>
          typeof value === 'string' && value !== '' ? [{ name, what, values: [value] }] : [],
        );
        const twice = { name, what: 'given twice', values: ['1', '2'] };
        return [...inText, twice, ...(required === true ? [{ name, what: 'left out', values: [] }] : [])];
      });
  }

  private fieldsOf(of: Schema, place: readonly (string | number)[]): DescribedField[] {
    const { properties = {}, required = [] } = this.resolved(of).schema;
    return Object.entries(properties).flatMap(([name, member]) => {
      const { schema, isNullable } = this.resolved(member);
      const here = [...place, name];
      const absent = required.includes(name)
        ? [{ what: 'left out', value: undefined }, ...(isNullable ? [] : [{ what: 'null', value: null }])]
        : [];
      const field = {
        place: here,
        wrong: [...absent, ...this.wrongValues(schema)],
        extremes: extremesOf(schema),
        isBoundless: isBoundless(schema),
      };
      const items = schema.items === undefined ? null : this.resolved(schema.items).schema;
      const inside = items?.properties !== undefined ? this.fieldsOf(items, [...here, 0]) : this.fieldsOf(schema, here);
      return [field, ...inside];
    });
  }

  private wrongValues(of: Schema): GivenValue[] {
    const { schema } = this.resolved(of);
    if (schema.enum !== undefined) {
      return [
        { what: 'an unknown name', value: 'NoSuchName' },
        { what: 'an unknown number', value: 999 },
        { what: 'a negative number', value: -1 },
        { what: 'a truth value', value: true },
        { what: 'an object', value: {} },
        { what: 'empty', value: '' },
      ];
    }
    switch (typeOf(schema)) {
      case 'string':
        return wrongTexts(schema);
      case 'integer':
        return [
          { what: 'a fraction', value: 1.5 },
          { what: 'a fraction as text', value: '1.5' },
          ...wrongNumbers(schema),
          ...(schema.format === 'int32' ? outside(-INT32_MAX - 1, INT32_MAX) : []),
        ];
      case 'number':
        return wrongNumbers(schema);
      case 'boolean':
        return [
          { what: 'another text', value: 'perhaps' },
          { what: 'a number', value: 2 },
          { what: 'an object', value: {} },
          { what: 'a list', value: [] },
        ];
      case 'array':
        return this.wrongLists(schema);
      default:
        return [
          { what: 'a number', value: 5 },
          { what: 'a text', value: 'x' },
          { what: 'a list', value: [] },
        ];
    }
  }

  private wrongLists({ items = {}, minItems = 0, maxItems }: Schema): GivenValue[] {
    const item = this.resolved(items).schema;
    return [
      { what: 'a text', value: 'x' },
      { what: 'a number', value: 5 },
      { what: 'an object', value: {} },
      { what: 'a list with null', value: [null] },
      ...(item.properties === undefined
        ? this.wrongValues(item)
            .filter(({ what }) => what !== ZEROS)
            .map(({ what, value }) => ({ what: `a list with ${what}`, value: [value] }))
        : [{ what: 'a list with a text', value: ['x'] }]),
      ...(minItems > 0 ? [{ what: 'too few', value: [] }] : []),
      ...(maxItems === undefined
        ? []
        : [{ what: 'too many', value: Array.from({ length: maxItems + 1 }, (_item, n) => validItem(item, n)) }]),
    ];
  }

  /** The schema behind references; `isNullable` is true if it allows null. */
  private resolved(schema: Schema): { readonly schema: Schema; readonly isNullable: boolean } {
    const options = schema.anyOf ?? schema.allOf;
    const target = options === undefined ? schema : (options.find(({ type }) => type !== 'null') ?? schema);
    const isNullable =
      (Array.isArray(schema.type) && schema.type.includes('null')) || (schema.anyOf?.some(({ type }) => type === 'null') ?? false);
    if (target.$ref === undefined) return { schema: target, isNullable };
    const name = target.$ref.slice('#/components/schemas/'.length);
    const named = this.description.components.schemas[name];
    if (named === undefined) throw new Error(`The description has no schema ${name}.`);
    return { schema: named, isNullable };
  }
}

function typeOf({ type, properties }: Schema): string {
  const [first] = (typeof type === 'string' ? [type] : (type ?? [])).filter((one) => one !== 'null');
  return first ?? (properties === undefined ? 'unknown' : 'object');
}

function wrongTexts({ format, pattern, minLength = 0, maxLength }: Schema): GivenValue[] {
  const noTexts = [
    { what: 'a number', value: 5 },
    { what: 'a truth value', value: true },
    { what: 'an object', value: {} },
    { what: 'a list', value: ['x'] },
  ];
  if (format === 'uuid') {
    return [
      ...noTexts,
      { what: 'no GUID', value: 'x' },
      { what: 'a GUID in braces', value: '{0197f0c5-3c11-7c3a-8d0e-6d7f8a9b0c1d}' },
      { what: 'a GUID that goes on', value: '0197f0c5-3c11-7c3a-8d0e-6d7f8a9b0c1d0' },
      { what: ZEROS, value: EMPTY_GUID },
    ];
  }
  if (format === 'date-time') {
    return [
      ...noTexts,
      { what: 'no instant', value: 'tomorrow' },
      { what: 'a day that is not', value: '2026-02-30T00:00:00Z' },
      { what: 'a year that is not', value: '99999-01-01T00:00:00Z' },
    ];
  }
  return [
    ...noTexts,
    { what: 'a NUL character', value: `a${NUL}b` },
    ...(format === 'email' ? [{ what: 'no address', value: 'nobody' }] : []),
    ...(minLength > 0 ? [{ what: 'empty', value: '' }] : []),
    ...(maxLength === undefined
      ? []
      : [
          { what: 'too long', value: 'x'.repeat(maxLength + 1) },
          // Some count a letter with such a mark as one character, the database does not.
          { what: 'too long, with variation selectors', value: 'x\uFE0F'.repeat(maxLength) },
        ]),
    ...(pattern === undefined ? [] : [{ what: 'characters that are not allowed', value: '<>' }]),
  ];
}

/** Values at the limits of a field, some of them just valid. */
function extremesOf(schema: Schema): GivenValue[] {
  const { format, enum: names, minimum = -INT32_MAX - 1, maximum = INT32_MAX, minLength = 0, maxLength = 0, maxItems = 0 } = schema;
  const type = typeOf(schema);
  if (names !== undefined || format === 'uuid') return [];
  if (format === 'date-time') {
    return [
      { what: 'the first instant', value: '0001-01-01T00:00:00Z' },
      { what: 'the last instant', value: '9999-12-31T23:59:59.999999999+14:00' },
    ];
  }
  if (type === 'string') {
    return [
      { what: 'shortest', value: 'x'.repeat(minLength) },
      { what: 'longest', value: 'x'.repeat(maxLength) },
      { what: 'longest, beyond the basic plane', value: '\u{1F600}'.repeat(maxLength) },
      { what: 'half a character', value: '\uD800' },
      { what: 'of the other direction, with quotes and wildcards', value: `\u202E'"%_\\;--` },
    ];
  }
  if (type === 'integer' || type === 'number') {
    return [
      { what: 'smallest', value: minimum },
      { what: 'largest', value: maximum },
    ];
  }
  return type === 'array'
    ? [{ what: 'longest', value: Array.from({ length: maxItems }, (_item, n) => (isOfIds(schema) ? idOf(n) : n)) }]
    : [];
}

/** An item that a list takes, if its schema says all about it. */
function validItem({ properties, format, enum: names, type }: Schema, n: number): unknown {
  if (properties !== undefined) return {};
  if (format === 'uuid') return idOf(n);
  if (names !== undefined) return names[0];
  return type === 'integer' ? n : 'x';
}

const isOfIds = ({ items }: Schema): boolean => items?.format === 'uuid';
const idOf = (n: number): string => `0197f0c5-3c11-7c3a-8d0e-${String(n).padStart(12, '0')}`;

function wrongNumbers({ minimum, maximum }: Schema): GivenValue[] {
  return [
    { what: 'a text', value: 'x' },
    { what: 'a truth value', value: true },
    { what: 'an object', value: {} },
    { what: 'a list', value: [1] },
    ...outside(minimum, maximum),
  ];
}

function outside(minimum: number | undefined, maximum: number | undefined): GivenValue[] {
  return [
    ...(minimum === undefined ? [] : [below(minimum), { what: 'far too small', value: -1e15 }]),
    ...(maximum === undefined
      ? []
      : [
          { what: 'too large', value: maximum + 1 },
          { what: 'far too large', value: 1e15 },
        ]),
  ].flatMap((one) => [one, { what: `${one.what}, as text`, value: String(one.value) }]);
}

const below = (minimum: number): GivenValue => ({ what: minimum === 0 ? 'negative' : 'too small', value: minimum - 1 });

/** Returns true if a text or list of this kind has no maximum length. */
function isBoundless(schema: Schema): boolean {
  if (schema.enum !== undefined) return false;
  const type = typeOf(schema);
  const isText = type === 'string' && schema.format !== 'uuid' && schema.format !== 'date-time';
  return (isText && schema.maxLength === undefined) || (type === 'array' && schema.maxItems === undefined);
}
