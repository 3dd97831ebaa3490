import { describe, expect, it } from 'vitest';

import { DEFAULT_LIMITS, type Claim, type Claimant, type NegotiationRequest, SignalRServer } from '#libs/signalr';

import { SealedHomes } from './sealed-homes.js';

const LIFETIME_MS = DEFAULT_LIMITS.negotiationLifetimeMs;
const REQUEST: NegotiationRequest = { version: 1, client: 'user u', userId: 'u', stays: false };
const OPENS: Claimant = { userId: 'u', opens: true, isWebSocket: true };
const POLLS: Claimant = { ...OPENS, isWebSocket: false };

/** Nodes with one secret and one clock. */
class Nodes {
  now = 1_764_000_000_000;
  readonly secret = Buffer.alloc(32, 7);

  homes(nodeId: string, { path = '/hub', secret = this.secret } = {}): SealedHomes {
    const hub = { path, nodeId, limits: DEFAULT_LIMITS, now: () => this.now };
    const home = { forward: () => undefined, splice: () => undefined };
    return new SealedHomes(hub, { secret, databaseTime: () => this.now, homeAt: () => home });
  }
}

function tokenOf(homes: SealedHomes, request: Partial<NegotiationRequest> = {}): string {
  const negotiated = homes.issue({ ...REQUEST, ...request });
  if (negotiated === undefined) throw new Error('Nothing was negotiated.');
  return negotiated.token;
}

/** The letter after this one in base64url. The last letter of 32 bytes has two bits without a meaning. */
function nextLetter(letter = ''): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return letters[letters.indexOf(letter) + 1];
}

describe('a sealed token', () => {
  it('opens a plain WebSocket at any node, once there, under the negotiated id', () => {
    const nodes = new Nodes();
    const [a, b] = [nodes.homes('a'), nodes.homes('b')];
    const negotiated = a.issue(REQUEST);
    const claim = b.claim(negotiated?.token ?? '', OPENS);
    expect(claim).toEqual({ outcome: 'new', connectionId: negotiated?.connectionId, stays: false });
    expect(b.claim(negotiated?.token ?? '', OPENS).outcome).toBe('open');
    b.ended(negotiated?.token ?? '');
    expect(b.claim(negotiated?.token ?? '', OPENS).outcome).toBe('unknown');
  });

  it.each<[string, Partial<NegotiationRequest>, Claimant]>([
    ['a poll', {}, POLLS],
    ['what is sent over HTTP', {}, { ...POLLS, opens: false }],
    ['a WebSocket that outlives its socket', { stays: true }, OPENS],
    ['version 0', { version: 0 }, OPENS],
  ])('leads to its home: %s', (_name, request, by) => {
    const nodes = new Nodes();
    const [a, b] = [nodes.homes('a'), nodes.homes('b')];
    const token = tokenOf(a, request);
    expect(b.claim(token, by).outcome).toBe('elsewhere');
    const opened = a.claim(token, { ...by, opens: true });
    expect(opened.outcome).toBe('new');
    expect(a.claim(token, by).outcome).toBe('open');
  });

  it('leads only its own principal to its home, also after that one came', () => {
    const nodes = new Nodes();
    const [a, b] = [nodes.homes('a'), nodes.homes('b')];
    const token = tokenOf(a);
    expect(b.claim(token, POLLS).outcome).toBe('elsewhere');
    const [another, none, again] = ['v', undefined, 'u'].map((userId) => b.claim(token, { ...POLLS, userId }).outcome);
    expect([another, none, again]).toEqual(['unknown', 'unknown', 'elsewhere']);
    expect(b.claim(token, OPENS).outcome).toBe('new');
  });

  it('is known elsewhere once its principal has polled there, and as long as it is not open there', () => {
    const nodes = new Nodes();
    const [a, b] = [nodes.homes('a'), nodes.homes('b')];
    const token = tokenOf(a);
    b.claim(token, { ...POLLS, userId: 'v' });
    expect(b.knownElsewhere(token)).toBeUndefined();
    b.claim(token, POLLS);
    expect(b.knownElsewhere(token)).toBeDefined();
    expect(a.knownElsewhere(token)).toBeUndefined();
    expect(b.claim(token, OPENS).outcome).toBe('new');
    expect(b.knownElsewhere(token)).toBeUndefined();
  });

  it.each<[string, (nodes: Nodes, token: string) => Claim]>([
    ['another principal', (nodes, token) => nodes.homes('a').claim(token, { ...OPENS, userId: 'v' })],
    ['no principal', (nodes, token) => nodes.homes('a').claim(token, { ...OPENS, userId: undefined })],
    ['another hub', (nodes, token) => nodes.homes('a', { path: '/other' }).claim(token, OPENS)],
    ['another secret', (nodes, token) => nodes.homes('a', { secret: Buffer.alloc(32, 8) }).claim(token, OPENS)],
    ['a changed code', (nodes, token) => nodes.homes('a').claim(`${token.slice(0, -1)}${token.endsWith('A') ? 'E' : 'A'}`, OPENS)],
    ['another text of the same code', (nodes, token) => nodes.homes('a').claim(`${token.slice(0, -1)}${nextLetter(token.at(-1))}`, OPENS)],
    ['a request that opens nothing', (nodes, token) => nodes.homes('a').claim(token, { ...POLLS, opens: false })],
    ['no token', (nodes) => nodes.homes('a').claim('garbage', OPENS)],
    [
      'an expired one',
      (nodes, token) => {
        nodes.now += LIFETIME_MS + 1;
        return nodes.homes('a').claim(token, OPENS);
      },
    ],
  ])('is unknown for %s', (_name, claim) => {
    const nodes = new Nodes();
    expect(claim(nodes, tokenOf(nodes.homes('a'))).outcome).toBe('unknown');
  });

  it('is given for every negotiation: no memory waits for the opening', () => {
    const homes = new Nodes().homes('a');
    const { maximumPendingNegotiationsPerClient: limit } = DEFAULT_LIMITS;
    const tokens = Array.from({ length: limit + 1 }, () => tokenOf(homes));
    expect(new Set(tokens).size).toBe(limit + 1);
    for (const token of tokens.slice(0, limit)) expect(homes.issue({ ...REQUEST, version: 0 })?.token).not.toBe(token);
    expect(homes.issue({ ...REQUEST, version: 0 })).toBeUndefined();
  });

  it('is forgotten once it has expired', () => {
    const nodes = new Nodes();
    const homes = nodes.homes('a');
    const token = tokenOf(homes);
    homes.claim(token, OPENS);
    homes.ended(token);
    nodes.now += LIFETIME_MS + 1;
    homes.sweep();
    expect(homes.claim(token, OPENS).outcome).toBe('unknown');
  });
});

describe('a server with these homes', () => {
  it('gives each of its hubs homes of its own', async () => {
    const paths: string[] = [];
    const nodes = new Nodes();
    const server = new SignalRServer({
      homes: (hub) => {
        paths.push(hub.path);
        return nodes.homes(hub.nodeId, { path: hub.path });
      },
    });
    server.addHub({ path: '/one' });
    server.addHub({ path: '/two' });
    expect(paths).toEqual(['/one', '/two']);
    await server.close();
  });
});
