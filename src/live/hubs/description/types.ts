import {
  isEnumeration,
  isRecord,
  type ContractType,
  type EnumType,
  type HubMethod,
  type Members,
  type Parameter,
  type RecordType,
  type WireType,
} from '#libs/contracts';

import { code, linkTo, table } from './markdown.js';

type AnyType = WireType<unknown>;
type AnyRecord = RecordType<Members>;
type AnyEnum = EnumType<Record<string, number>>;

/** The heading of the chapter on results. */
export const RESULTS = 'Results';

/** The records and enums that methods carry, by name. */
export interface CarriedTypes {
  readonly records: ReadonlyMap<string, AnyRecord>;
  readonly enums: ReadonlyMap<string, AnyEnum>;
}

/** Every record and enum that the methods carry, directly or nested. A result is replaced by its value. */
export function typesOf(methods: readonly HubMethod[]): CarriedTypes {
  const records = new Map<string, AnyRecord>();
  const enums = new Map<string, AnyEnum>();
  const add = (type: AnyType): void => {
    const inner = innerOf(type);
    if (inner !== undefined) add(inner);
    else if (isEnumeration(type)) enums.set(type.name, type);
    else if (isRecord(type)) {
      if (!isResult(type) && records.get(type.name) === undefined) records.set(type.name, type);
      for (const member of Object.values(type.members)) add(member);
    }
  };
  for (const { parameters, returns } of methods) {
    for (const parameter of returns === undefined ? parameters : [...parameters, returns]) add(itemOf(parameter));
  }
  return { records, enums };
}

/** A parameter or a result, in words, with links to its types. */
export function describeParameter(parameter: Parameter): string {
  return 'stream' in parameter ? `a stream of ${withLimit(parameter.stream)}` : withLimit(parameter);
}

function withLimit(type: AnyType): string {
  const { limit } = type as Partial<ContractType<unknown>>;
  return limit === undefined ? describeType(type) : `${describeType(type)} of ${limit}`;
}

/** The heading of a record. Angle brackets are replaced, because Markdown would read them as HTML. */
export function titleOf({ name }: AnyType): string {
  return name.replace(/<(.*)>/, ' of $1');
}

/** A type in words, with links. */
function describeType(type: AnyType): string {
  if (isRecord(type) && isResult(type)) {
    const value = type.members.value === undefined ? undefined : innerOf(type.members.value);
    return value === undefined ? linkTo(RESULTS, 'a result') : `${linkTo(RESULTS, 'a result')} with ${describeType(value)}`;
  }
  if (isRecord(type) || isEnumeration(type)) return linkTo(titleOf(type));
  const inner = innerOf(type);
  if (inner === undefined) return code(type.name);
  return isList(type) ? `${describeType(inner)}[]` : describeType(inner);
}

/** Describes a record and its members. */
export function describeRecord(type: AnyRecord): string {
  const rows = Object.entries(type.members).map(([name, member]) => [
    code(name),
    describeType(member),
    [...(type.notes[name] === undefined ? [] : [type.notes[name]]), ...traitsOf(member)].join(' '),
  ]);
  const form = type.isIndexed ? ' In MessagePack it is an array of its members, in this order.' : '';
  return `${type.description}${form}\n\n${table(['Member', 'Type', 'Meaning and limits'], rows)}`;
}

/** Describes the members of an enum and its JSON form. */
export function describeEnum(type: AnyEnum): string {
  const shown = Object.entries(type.values).map(([name, value]) => ({ name, value, json: type.encode(value, 'json') }));
  const isNumeric = shown.every(({ value, json }) => json === value);
  const rows = shown.map(({ name, value, json }) => [String(value), code(name), code(JSON.stringify(json))]);
  return `JSON shows ${isNumeric ? 'the number' : 'a name'}.\n\n${table(['Number', 'Name', 'In JSON'], rows)}`;
}

function traitsOf(member: ContractType<unknown>): string[] {
  const traits: string[] = [];
  if (member.limit !== undefined) traits.push(`${member.limit.charAt(0).toUpperCase()}${member.limit.slice(1)}.`);
  if ('nullable' in member) traits.push('May be null.');
  if ('optional' in member) traits.push('May be absent.');
  const initial = isRecord(member) || 'optional' in member ? undefined : member.absent();
  if (typeof initial === 'number' && initial !== 0) traits.push(`Absent, it is ${initial}.`);
  return traits;
}

/** True if a record is a result. All results are described together. */
function isResult({ name }: AnyType): boolean {
  return name === 'HubResult' || name.startsWith('HubResult<');
}

function isList(type: AnyType): boolean {
  return type.name.endsWith('[]') && !('nullable' in type) && !('optional' in type);
}

function innerOf(type: AnyType): ContractType<unknown> | undefined {
  return (type as Partial<ContractType<unknown>>).of;
}

function itemOf(parameter: Parameter): AnyType {
  return 'stream' in parameter ? parameter.stream : parameter;
}
