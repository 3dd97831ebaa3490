import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HubEndpoint } from './hub-endpoint.js';
import type { HubOptions } from './runtime/hub/hub-options.js';
import { TestHub } from './runtime/test-hub.fixture.js';
import type { Claim, Claimant, ConnectionHomes } from './transports/connection-homes.js';
import { plainAnswer, respond } from './transports/http-answer.js';
import { UpgradeRouter } from './transports/upgrade-router.js';

/** A node that answers with the name of its action. */
const NEIGHBOUR = {
  outcome: 'elsewhere',
  home: {
    forward: ({ method }, response) => respond(response, plainAnswer(200, `forwarded ${method ?? ''}`)),
    splice: (upgrade) => upgrade.refuse(plainAnswer(418, 'spliced')),
  },
} satisfies Claim;

const fail = (): never => {
  throw new Error('no answer');
};

let claims: Claimant[];
let ended: string[];
let server: Server;

/** Serves a hub whose tokens have the claims that `claim` returns. */
async function serve(
  claim: (token: string) => Claim | Promise<Claim>,
  options: Partial<HubOptions> = {},
  known: Pick<ConnectionHomes, 'knownElsewhere'> = {},
): Promise<HubEndpoint> {
  const homes: ConnectionHomes = {
    ...known,
    issue: ({ stays }) => ({ connectionId: 'n.1', token: stays ? 'stays' : 'goes' }),
    claim: (token, by) => {
      claims.push(by);
      return claim(token);
    },
    ended: (token) => ended.push(token),
    sweep: () => undefined,
  };
  const endpoint = new HubEndpoint(new TestHub(), { path: '/hub', ...options }, 'n', homes);
  const upgrades = new UpgradeRouter();
  upgrades.route('/hub', (upgrade) => endpoint.upgrade(upgrade));
  server = createServer((incoming, response) => {
    const answered =
      incoming.url?.startsWith('/hub/negotiate') === true ? endpoint.negotiate(incoming, response) : endpoint.request(incoming, response);
    answered.catch(() => respond(response, plainAnswer(500, '')));
  });
  upgrades.attach(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return endpoint;
}

const url = (path: string): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;

/** Asks for a WebSocket. @returns the status of the answer */
async function upgradeStatus(headers: Record<string, string> = {}): Promise<number | undefined> {
  const sent = request(url('/hub?id=t'), { headers: { Connection: 'Upgrade', Upgrade: 'websocket', ...headers } }).end();
  return new Promise((resolve, reject) => {
    sent.on('error', reject).on('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
  });
}

beforeEach(() => {
  claims = [];
  ended = [];
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

describe('a token', () => {
  it.each(['GET', 'POST', 'DELETE'])('lets the node that has the connection answer a %s, before its body is read', async (method) => {
    await serve(() => Promise.resolve(NEIGHBOUR), { authenticate: () => ({ accept: true, user: 'Ann', userId: 'ann' }) });
    const response = await fetch(url('/hub?id=t'), { method });
    expect(await response.text()).toBe(`forwarded ${method}`);
    expect(claims).toEqual([{ userId: 'ann', opens: method === 'GET', isWebSocket: false }]);
  });

  it('that was shown here before lets that node authenticate its client', async () => {
    const known = { knownElsewhere: (token: string) => (token === 't' ? NEIGHBOUR.home : undefined) };
    await serve(() => fail(), { authenticate: () => ({ accept: false, ...plainAnswer(401, 'unknown') }) }, known);
    expect(await (await fetch(url('/hub?id=t'))).text()).toBe('forwarded GET');
    expect((await fetch(url('/hub?id=u'))).status).toBe(401);
    expect((await fetch(url('/hub?id=t'), { method: 'PUT' })).status).toBe(405);
    expect(await upgradeStatus()).toBe(401);
  });

  it('lets the node that has the connection decide about a WebSocket', async () => {
    await serve(() => NEIGHBOUR);
    expect(await upgradeStatus()).toBe(418);
    expect(claims).toEqual([{ userId: undefined, opens: true, isWebSocket: true }]);
  });

  it('is given back when the WebSocket cannot be opened', async () => {
    await serve(() => ({ outcome: 'new', connectionId: 'n.1', stays: false }));
    expect(await upgradeStatus({ 'Sec-WebSocket-Version': '1' })).toBe(400);
    expect(ended).toEqual(['t']);
  });

  it.each<[string, Partial<HubOptions>]>([
    ['the source of its client', { sourceOf: () => fail() }],
    ['the address of its client', { clientAddress: () => fail(), authenticate: () => ({ accept: true, user: 'Ann', userId: 'ann' }) }],
    ['the host that its client called', { calledHost: () => fail() }],
    ['whether its client has room', { refusalOf: () => fail() }],
  ])('is given back when the program fails to tell %s', async (_what, options) => {
    await serve(() => ({ outcome: 'new', connectionId: 'n.1', stays: false }), options);
    expect(await upgradeStatus({ 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==' })).toBe(500);
    expect(ended).toEqual(['t']);
    expect((await fetch(url('/hub?id=t'))).status).toBe(500);
    expect(ended).toEqual(['t', 't']);
  });

  it('is given back when the server closes', async () => {
    const endpoint = await serve(() => ({ outcome: 'new', connectionId: 'n.1', stays: false }));
    endpoint.close();
    expect((await fetch(url('/hub?id=t'))).status).toBe(503);
    expect(await upgradeStatus()).toBe(503);
    expect(ended).toEqual(['t', 't']);
  });
});

describe('negotiating', () => {
  it.each([
    [true, true, 'stays'],
    [true, false, 'goes'],
    [false, true, 'goes'],
  ])('with stateful reconnect asked for: %s, and allowed: %s, gives a token that %s', async (asked, allowed, token) => {
    await serve(() => NEIGHBOUR, { statefulReconnect: allowed });
    const response = await fetch(url(`/hub/negotiate?negotiateVersion=1&useStatefulReconnect=${asked}`), { method: 'POST' });
    expect(JSON.parse(await response.text())).toMatchObject({ connectionToken: token });
  });
});
