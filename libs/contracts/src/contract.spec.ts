import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import * as contracts from './index.js';
import type { ContractType, HubMethod, RecordType, Members, WireType } from './index.js';

/**
 * Compares every descriptor with the facts of the contract, fixtures/hubs.json. What differs on purpose stands in the
 * tables below with its reason; anything else that differs fails.
 */

interface FieldFact {
  name: string;
  json: string;
  type: string;
  nullable: boolean;
  default?: unknown;
}
interface TypeFact {
  encoding: string;
  fields: FieldFact[];
}
interface MethodFact {
  name: string;
  params: { name: string; type: string }[];
  returns: string;
  obsolete?: boolean;
  permission?: string | null;
  relaysTo?: string;
  exceptionReason?: string;
  unknownDeviceReason?: string;
  noneReason?: string;
  sessionFilter?: boolean;
  refused?: string;
}
interface Facts {
  types: Record<string, TypeFact>;
  enums: Record<string, Record<string, number>>;
  enumJson: Record<string, { emit: string }>;
  agentHub: { serverMethods: MethodFact[]; clientMethods: MethodFact[] };
  viewerHub: { serverMethods: MethodFact[]; clientMethods: MethodFact[] };
}

const facts: Facts = JSON.parse(readFileSync(new URL('fixtures/hubs.json', import.meta.url), 'utf8'));

/** Members that may be null although the table says otherwise: agents send null there, and a signature covers it as null. */
const NULL_ALLOWED = new Set(
  ['Name', 'AgentVersion', 'OsDescription', 'CurrentUsers', 'MacAddresses', 'LocalIpV4', 'LocalIpV6', 'Drives'].map(
    (member) => `DeviceUpdateRequestDto.${member}`,
  ),
);

/** Members that this table does not have, absent from the wire unless set: raw terminal mode, and what only HTTP carries. */
const ADDED_MEMBERS: Record<string, string[]> = {
  CreateDeviceRequestDto: ['customerId'],
  TerminalInputDto: ['mode', 'columns', 'rows'],
  TerminalOutputDto: ['supportsRaw', 'mode'],
};

/** The upload through the hub needs the same permission as the upload over HTTP. */
const OTHER_PERMISSIONS: Record<string, string> = { UploadFile: 'device.file-system.transfer-upload' };

/** Enums of this project's own. */
const ADDED_ENUMS = ['TerminalMode'];

const exported: Record<string, unknown> = { ...contracts };

function isRecord(value: unknown): value is RecordType<Members> {
  return typeof value === 'object' && value !== null && 'members' in value;
}

function isNullable(type: ContractType<unknown>): boolean {
  return 'nullable' in type;
}

function typeName(type: WireType<unknown> | { stream: WireType<unknown> } | undefined): string {
  if (type === undefined) return 'void';
  return 'stream' in type ? `stream<${type.stream.name}>` : type.name;
}

describe('DTOs', () => {
  const plain = Object.entries(facts.types).filter(([name]) => !name.includes('<'));

  it.each(plain)('%s has the members, types, order and defaults of the contract', (name, fact) => {
    const descriptor = exported[name];
    if (!isRecord(descriptor)) throw new Error(`${name} is not exported as a record`);
    const added = ADDED_MEMBERS[name] ?? [];
    const members = Object.entries(descriptor.members).filter(([member]) => !added.includes(member));

    expect(descriptor.name).toBe(name);
    expect(members.map(([member, type]) => [member, type.name, isNullable(type)])).toEqual(
      fact.fields.map((field) => [field.json, field.type, field.nullable || NULL_ALLOWED.has(`${name}.${field.name}`)]),
    );
    for (const field of fact.fields) {
      if (field.default !== undefined) expect(descriptor.members[field.json].absent()).toEqual(field.default);
    }
  });

  it.each(plain)('%s has the shape and names of the contract in both encodings', (name, fact) => {
    const descriptor = exported[name];
    if (!isRecord(descriptor)) throw new Error(`${name} is not exported as a record`);
    const value = sample(descriptor);

    expect(Object.keys(Object(descriptor.encode(value, 'json')))).toEqual(fact.fields.map((field) => field.json));
    const packed = descriptor.encode(value, 'messagepack');
    if (fact.encoding === 'array by index') expect(packed).toHaveLength(fact.fields.length);
    else expect(Object.keys(Object(packed))).toEqual(fact.fields.map((field) => field.name));
    expect(descriptor.decode(packed, 'messagepack')).toEqual(value);
    expect(descriptor.decode(JSON.parse(JSON.stringify(descriptor.encode(value, 'json'))), 'json')).toEqual(value);
  });

  it('adds nothing but the members listed above', () => {
    const unknown = Object.values(exported)
      .filter(isRecord)
      .filter((descriptor) => facts.types[descriptor.name] === undefined);
    expect(unknown.map((descriptor) => descriptor.name)).toEqual([]);
    for (const [name, members] of Object.entries(ADDED_MEMBERS)) {
      const descriptor = exported[name];
      if (!isRecord(descriptor)) throw new Error(`${name} is not exported as a record`);
      for (const member of members) expect(descriptor.members[member]).toHaveProperty('optional', true);
    }
  });
});

describe('generic DTOs', () => {
  const HUB_RESULT_WITH_VALUE = contracts.hubResultOf(contracts.guid);
  const SIGNED = contracts.signedDtoOf(contracts.guid);

  it.each([
    ['HubResult<T>', HUB_RESULT_WITH_VALUE],
    ['SignedDto<T>', SIGNED],
  ])('%s has the members of the contract', (name, descriptor) => {
    if (!isRecord(descriptor)) throw new Error(`${name} is no record`);
    const described = Object.entries(descriptor.members).map(([member, type]) => [member, type.name, isNullable(type)]);
    const expected = facts.types[name].fields.map((field) => [field.json, field.type === 'T' ? 'guid' : field.type, field.nullable]);
    expect(described).toEqual(expected);
  });
});

describe('enums', () => {
  it.each(Object.entries(facts.enums))('%s has the members of the contract and its form in JSON', (name, values) => {
    const descriptor = exported[name];
    if (!isEnum(descriptor)) throw new Error(`${name} is not exported as an enum`);
    expect(descriptor.values).toEqual(values);
    const form = facts.enumJson[name].emit;
    for (const [member, value] of Object.entries(values)) {
      const json = descriptor.encode(value, 'json');
      if (form === 'number') expect(json).toBe(value);
      else if (form === 'name') expect(json).toBe(member);
      else expect(form.split(/[ |]+/)).toContain(json);
      expect(descriptor.encode(value, 'messagepack')).toBe(member);
      for (const written of [value, member, member.toUpperCase(), json]) expect(descriptor.decode(written, 'json')).toBe(value);
    }
  });

  it('adds only its own', () => {
    const unknown = Object.values(exported)
      .filter(isEnum)
      .map(({ name }) => name)
      .filter((name) => !(name in facts.enums));
    expect(unknown).toEqual(ADDED_ENUMS);
  });
});

describe('method tables', () => {
  it.each<[string, Record<string, HubMethod>, MethodFact[]]>([
    ['agentHub', contracts.agentHub, facts.agentHub.serverMethods],
    ['agentClient', contracts.agentClient, [...facts.agentHub.clientMethods, receiveDto()]],
    ['viewerHub', contracts.viewerHub, facts.viewerHub.serverMethods],
    ['viewerClient', contracts.viewerClient, facts.viewerHub.clientMethods],
  ])('%s is the table of the contract', (_, table, methods) => {
    const described = Object.entries(table).map(([key, method]) => [
      key,
      method.name,
      method.parameters.map(typeName),
      typeName(method.returns),
    ]);
    expect(described).toEqual(methods.map((fact) => [fact.name, fact.name, fact.params.map(({ type }) => type), fact.returns]));
  });

  it.each(facts.viewerHub.serverMethods)('the rules of the viewer method $name are those of the contract', (fact) => {
    const table: Record<string, contracts.ViewerMethod> = contracts.viewerHub;
    const method = table[fact.name];
    expect(method.obsolete ?? false).toBe(fact.obsolete);
    expect(method.permission).toBe(OTHER_PERMISSIONS[fact.name] ?? fact.permission);
    expect(method.relaysTo).toBe(fact.relaysTo);
    expect(method.filtersDesktopSessions).toBe(fact.sessionFilter);
    if (fact.exceptionReason !== undefined) expect(method.exceptionReason).toBe(fact.exceptionReason);
    if (fact.unknownDeviceReason !== undefined) expect(method.unknownDeviceReason).toBe(fact.unknownDeviceReason);
    if (fact.noneReason !== undefined) expect(method.invalidReason).toBe(fact.noneReason);
    expect(method.refused).toBe(refusal(fact));
  });
});

function refusal(fact: MethodFact): contracts.Refusal {
  if (fact.permission === null) return null;
  if (fact.refused === undefined) return 'with a failure';
  if (fact.refused.startsWith('silent (')) return 'silently';
  return fact.refused === 'empty array' ? 'with an empty list' : 'by skipping the device';
}

/** Every agent registers it, although the table of the specification leaves it out. */
function receiveDto(): MethodFact {
  return { name: 'ReceiveDto', params: [{ name: 'wrapper', type: 'DtoWrapper' }], returns: 'void' };
}

function isEnum(value: unknown): value is contracts.EnumType<Record<string, number>> {
  return typeof value === 'object' && value !== null && 'values' in value;
}

/** A value of the record with the default of each member, and records and lists filled by one level. */
function sample(type: RecordType<Members>): Record<string, unknown> {
  const members = Object.entries(type.members).filter(([, member]) => !('optional' in member));
  return Object.fromEntries(members.map(([name, member]) => [name, isRecord(member) ? sample(member) : member.absent()]));
}
