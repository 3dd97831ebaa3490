import { describe, expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import * as contracts from './index.js';
import { hubFailure, isEnumeration, isObsolete, isRecord, viewerHub } from './index.js';
import type { ContractType, HubMethod, Members, ObsoleteForm, RecordType, ViewerMethod, WireType } from './index.js';

/**
 * Compares the descriptors with the facts of the contract, fixtures/hubs.json. Intended differences stand in the tables below with their
 * reasons; any other difference fails. Additions unknown to the contract show in docs/hubs.md, which a test compares with the descriptors.
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
  replacedBy?: string;
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
  agentHub: { serverMethods: MethodFact[]; clientMethods: MethodFact[]; extraClientMethods: MethodFact[] };
  viewerHub: { serverMethods: MethodFact[]; clientMethods: MethodFact[] };
}

const facts: Facts = JSON.parse(readFileSync(new URL('fixtures/hubs.json', import.meta.url), 'utf8'));

// JSON is read into a Buffer, MessagePack into the bytes as they are: equal when their bytes are.
expect.addEqualityTesters([
  (a: unknown, b: unknown) => (a instanceof Uint8Array && b instanceof Uint8Array ? Buffer.compare(a, b) === 0 : undefined),
]);

/** Members that may be null, although the contract does not say so: agents send null there, and sign it as null. */
const NULL_ALLOWED = new Set([
  ...['Name', 'AgentVersion', 'OsDescription', 'CurrentUsers', 'MacAddresses', 'LocalIpV4', 'LocalIpV6', 'Drives', 'DnsHostName'].map(
    (member) => `DeviceUpdateRequestDto.${member}`,
  ),
  ...['RootDirectory', 'Name', 'DriveFormat', 'VolumeLabel'].map((member) => `Drive.${member}`),
]);

/** Members that the contract does not have: for the raw mode of terminals, and for HTTP. They are left out unless they are set. */
const ADDED_MEMBERS: Record<string, string[]> = {
  CreateDeviceRequestDto: ['customerId'],
  TerminalInputDto: ['mode', 'columns', 'rows'],
  TerminalOutputDto: ['supportsRaw', 'mode'],
};

/** The upload through the hub needs the same permission as the upload over HTTP. */
const OTHER_PERMISSIONS: Record<string, string> = { UploadFile: 'device.file-system.transfer-upload' };

/** Enums of this project's own. */
const ADDED_ENUMS = ['TerminalMode'];

const EMPTY_GUID = '00000000-0000-0000-0000-000000000000';

const exported: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries(contracts).map(([name, value]) => [name, Object(value)]),
);

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

  it('have the further members that are listed above, which are all optional', () => {
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
    if (!isEnumeration(descriptor)) throw new Error(`${name} is not exported as an enum`);
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

  it('are those of the contract and the ones listed above', () => {
    const unknown = Object.values(exported)
      .filter(isEnumeration)
      .map(({ name }) => name)
      .filter((name) => !(name in facts.enums));
    expect(unknown).toEqual(ADDED_ENUMS);
  });
});

describe('method tables', () => {
  it.each<[string, Record<string, HubMethod>, MethodFact[]]>([
    ['agentHub', contracts.agentHub, facts.agentHub.serverMethods],
    ['agentClient', contracts.agentClient, [...facts.agentHub.clientMethods, ...facts.agentHub.extraClientMethods]],
    ['viewerHub', contracts.viewerHub, facts.viewerHub.serverMethods],
    ['viewerClient', contracts.viewerClient, facts.viewerHub.clientMethods],
  ])('%s has the methods of the contract, with their parameters and results', (_, table, methods) => {
    const described = methods.map(({ name }) => {
      const { parameters, returns } = table[name];
      return [table[name].name, parameters.map(typeName), typeName(returns)];
    });
    expect(described).toEqual(methods.map(({ name, params, returns }) => [name, params.map(({ type }) => type), returns]));
  });

  it.each(facts.viewerHub.serverMethods)('the rules of the viewer method $name are those of the contract', (fact) => {
    const table: Record<string, ViewerMethod | ObsoleteForm> = contracts.viewerHub;
    const method = table[fact.name];
    const rules = isObsolete(method) ? table[method.replacedBy] : method;
    if (isObsolete(rules)) throw new Error(`${fact.name} is replaced by a method that is obsolete itself`);
    expect(isObsolete(method)).toBe(fact.obsolete);
    if (isObsolete(method)) expect(method.replacedBy).toBe(fact.replacedBy);
    expect('permission' in rules.access ? rules.access.permission : null).toBe(OTHER_PERMISSIONS[fact.name] ?? fact.permission);
    expect(rules.relaysTo).toBe(fact.relaysTo);
    expect(rules.desktopSessions !== undefined).toBe(fact.sessionFilter ?? false);
    if (fact.exceptionReason !== undefined) expect(rules.exceptionReason).toBe(fact.exceptionReason);
    if (fact.unknownDeviceReason !== undefined) expect(rules.unknownDeviceReason).toBe(fact.unknownDeviceReason);
    if (fact.noneReason !== undefined) expect(rules.invalid?.reason).toBe(fact.noneReason);
  });

  const refusable = facts.viewerHub.serverMethods.filter(({ permission }) => permission !== null);

  it.each(refusable)('a refusal of the viewer method $name is answered as the contract says', ({ name, refused }) => {
    const table: Record<string, ViewerMethod | ObsoleteForm> = contracts.viewerHub;
    const method = table[name];
    const rules = isObsolete(method) ? table[method.replacedBy] : method;
    if (isObsolete(rules)) throw new Error(`${name} is replaced by a method that is obsolete itself`);
    if (rules.access.to === 'each device') {
      expect(refused).toBe('silently skipped per device; call still succeeds');
      return;
    }
    const failure = hubFailure('Forbidden.');
    const answer = isObsolete(method) ? method.toAnswer(failure) : failure;
    if (refused === undefined) expect(answer).toBe(failure);
    else expect(answer).toEqual(refused === 'empty array' ? [] : undefined);
  });
});

describe('obsolete forms', () => {
  const forms = Object.values<ViewerMethod | ObsoleteForm>(viewerHub).filter(isObsolete);

  it.each(forms.map((form) => [form.name, form] as const))('%s makes a request that its current form can read', (_, form) => {
    const { parameters }: HubMethod = viewerHub[form.replacedBy as keyof typeof viewerHub];
    const [request] = parameters;
    if (!isRecord(request)) throw new Error(`${form.replacedBy} takes no record`);
    const args = form.parameters.map((type) => (isRecord(type) ? sample(type) : Object(type).absent()));
    expect(form.toRequest(args)).toEqual({ ...sample(request), ...(args.length === 1 ? {} : { deviceId: EMPTY_GUID }) });
  });

  it('put their arguments into the members with their names', () => {
    const { CloseChatSession, SendChatMessage, SendTerminalInput } = viewerHub;
    expect(CloseChatSession.toRequest(['device', 'session', 7])).toEqual({ deviceId: 'device', sessionId: 'session', targetProcessId: 7 });
    expect(SendTerminalInput.toRequest(['device', { input: 'ls' }])).toEqual({ deviceId: 'device', input: { input: 'ls' } });
    expect(SendChatMessage.toRequest(['device', { deviceId: 'other', message: 'hi' }])).toEqual({ deviceId: 'device', message: 'hi' });
  });
});

/** A value of the record, in which every member has its default. */
function sample(type: RecordType<Members>): Record<string, unknown> {
  const members = Object.entries(type.members).filter(([, member]) => !('optional' in member));
  return Object.fromEntries(members.map(([name, member]) => [name, isRecord(member) ? sample(member) : member.absent()]));
}
