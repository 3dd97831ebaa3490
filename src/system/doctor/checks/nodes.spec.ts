import { describe, expect, it } from 'vitest';

import { type NatsFacts, type NodeAccount, type NodeFacts, type NodesFacts, nodesFindings } from './nodes.js';

const NOW = Date.parse('2027-01-01T00:00:00Z');
const DAY_MS = 24 * 60 * 60_000;

const nats = (name: string, changes: Partial<NatsFacts> = {}): NatsFacts => {
  const address = `tls://${name}:4222`;
  return { address, problem: null, version: '2.14.0', roundTripMs: 0.4, hears: [address], isWide: false, certificate: null, ...changes };
};

const account = (id: string, changes: Partial<NodeAccount> = {}): NodeAccount => ({
  id,
  clockAheadMs: 3,
  isClockRight: true,
  options: { 'AppOptions:PublicUrl': 'same' },
  files: { 'linux-x64/device-agent.tar.gz': 'same' },
  ...changes,
});

const node = (id: string, changes: Partial<NodeFacts> = {}): NodeFacts => ({
  id,
  release: '1.4.0',
  address: `${id}:8091`,
  isSettled: true,
  isHeard: true,
  answer: account(id),
  ...changes,
});

const SOUND: NodesFacts = { servers: [nats('nats-1')], nodes: [node('a'), node('b')], published: null };

const faultsOf = (changes: Partial<NodesFacts>): (readonly [string | null, string])[] =>
  nodesFindings({ ...SOUND, ...changes }, NOW)
    .filter(({ kind }) => kind !== null)
    .map(({ kind, what }) => [kind, what]);

describe('findings about several nodes', () => {
  it('are none for nodes that hear each other over NATS and are alike', () => {
    expect(nodesFindings(SOUND, NOW).map(({ kind, what }) => [kind, what])).toEqual([
      [null, 'NATS 2.14.0 at tls://nats-1:4222 answers in 0.4 ms.'],
      [null, '2 nodes are reached and heard.'],
    ]);
  });

  it('tell a server of NATS that is away from NATS that is away', () => {
    const away = { address: 'tls://nats-2:4222', problem: 'unreachable', reason: 'connect ECONNREFUSED' } as const;
    const says = 'NATS at tls://nats-2:4222 is not reached: connect ECONNREFUSED';
    expect(faultsOf({ servers: [nats('nats-1'), away] })).toEqual([['nats-server-unreachable', says]]);
    // Nobody can be heard then, which is no fault of the nodes.
    expect(faultsOf({ servers: [away], nodes: [node('a', { isHeard: false })] })).toEqual([['nats-unreachable', says]]);
  });

  it('name what NATS refuses', () => {
    const refused = { address: 'tls://nats-1:4222', problem: 'refused', reason: 'no such key.' } as const;
    const limited = { address: 'tls://nats-2:4222', problem: 'limits', reason: 'it takes messages of 1024 bytes.' } as const;
    expect(faultsOf({ servers: [refused, limited] })).toEqual([
      ['nats-refused', 'NATS at tls://nats-1:4222 refuses the nodes: no such key.'],
      ['nats-limits', 'NATS at tls://nats-2:4222: it takes messages of 1024 bytes.'],
    ]);
  });

  it('name servers of NATS that do not hear each other', () => {
    const [first, second] = [nats('nats-1'), nats('nats-2', { hears: ['tls://nats-1:4222', 'tls://nats-2:4222'] })];
    expect(faultsOf({ servers: [first, second] })).toEqual([
      ['nats-divided', 'tls://nats-1:4222 does not pass on what nodes say at tls://nats-2:4222.'],
    ]);
  });

  it.each([
    ['nats-slow', { roundTripMs: 61.2 }, 'NATS at tls://nats-1:4222 answers in 61 ms.'],
    ['nats-permissions', { isWide: true }, 'NATS at tls://nats-1:4222 permits the nodes more than dm.>.'],
    [
      'nats-certificate',
      { certificate: { host: 'nats-1:4222', validTo: new Date(NOW + 5 * DAY_MS), problem: null } },
      'The certificate of NATS at tls://nats-1:4222 ends on 2027-01-06, in 5 days.',
    ],
  ])('have %s', (kind, changes, says) => {
    expect(faultsOf({ servers: [nats('nats-1', changes)] })).toEqual([[kind, says]]);
  });

  it('do not warn of a certificate that is valid for a month', () => {
    const certificate = { host: 'nats-1:4222', validTo: new Date(NOW + 30 * DAY_MS), problem: null };
    expect(faultsOf({ servers: [nats('nats-1', { certificate })] })).toEqual([]);
  });

  it.each<readonly [string, Partial<NodeFacts>, string]>([
    ['node-unheard', { isHeard: false }, 'The node b (b:8091) reports to the database, and is not heard over NATS.'],
    [
      'node-secret',
      { answer: { problem: 'refused', reason: 'it does not accept what this secret proves.' } },
      'The node b (b:8091) does not answer at its internal port: it does not accept what this secret proves.',
    ],
    [
      'node-unreachable',
      { address: null, answer: { problem: 'unreachable', reason: 'it has not said an address.' } },
      'The node b does not answer at its internal port: it has not said an address.',
    ],
    ['node-address', { answer: account('a') }, 'The node b (b:8091) is not at that address: the node a answers there.'],
    [
      'node-clock',
      { answer: account('b', { clockAheadMs: -21_000, isClockRight: false }) },
      'The clock of the node b (b:8091) is 21000 ms behind that of the database.',
    ],
    ['node-releases', { release: '1.5.0' }, 'The nodes are of the releases 1.4.0, 1.5.0.'],
    [
      'node-options',
      { answer: account('b', { options: { 'AppOptions:PublicUrl': 'another' } }) },
      'The nodes have different values of AppOptions:PublicUrl.',
    ],
    ['node-files', { answer: account('b', { files: {} }) }, 'The nodes offer different files: linux-x64/device-agent.tar.gz.'],
  ])('have %s', (kind, changes, says) => {
    expect(faultsOf({ nodes: [node('a'), node('b', changes)] })).toEqual([[kind, says]]);
  });

  it('give a node that has just started the time to be heard', () => {
    expect(faultsOf({ nodes: [node('a'), node('b', { isSettled: false, isHeard: false })] })).toEqual([]);
  });

  it('name an internal port that is open to everybody, and at most five of many options', () => {
    const options = (value: string): NodeAccount['options'] => Object.fromEntries([...'abcdefg'].map((name) => [name, value]));
    const nodes = ['a', 'b'].map((id) => node(id, { answer: account(id, { options: options(id) }) }));
    expect(faultsOf({ nodes, published: 'devices.example.org:8091' })).toEqual([
      ['node-options', 'The nodes have different values of a, b, c, d, e and 2 more.'],
      ['node-port-published', 'The internal port of a node answers at devices.example.org:8091.'],
    ]);
  });
});
