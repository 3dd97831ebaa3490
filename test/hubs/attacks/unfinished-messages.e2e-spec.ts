/*
 * Anonymous clients begin large messages and do not end them, on many connections, to fill the memory: in frames that do not end, and in
 * whole frames without the mark that ends a message. Unread bytes are limited for all together, and registered devices are not affected.
 */
import { describe, expect, it } from 'vitest';

import { AGENT_HUB_PATH } from '../../../src/platform/common/addresses/hub-paths.js';
import { createKeyedDevice, FakeAgent } from '../../support/devices/agents.js';
import { eventually } from '../../support/eventually.js';
import { stopAfterEach, testServer, testTenant } from '../../support/setup/test-server.js';
import { frameHeader, hubOf, RawClient } from './raw-hub-client.js';

const STRANGERS = 150;
const UNFINISHED_BYTES = 900_000;
/** Most bytes that the server holds by default. */
const MOST_BYTES = 67_108_864;

describe('unfinished messages of unauthenticated connections', () => {
  const server = testServer();
  const tenant = testTenant(server);
  const keep = stopAfterEach();

  const bytes = Buffer.alloc(UNFINISHED_BYTES, 'x');

  it.each<[string, Buffer]>([
    ['in frames that do not end', Buffer.concat([frameHeader(UNFINISHED_BYTES + 1), bytes])],
    ['in whole frames', Buffer.concat([frameHeader(UNFINISHED_BYTES), bytes])],
  ])('are limited in all: %s', async (_how, beginning) => {
    const agent = keep(await FakeAgent.online(server, await createKeyedDevice(server, tenant)));
    const { backlog } = hubOf(server, AGENT_HUB_PATH);
    const strangers: RawClient[] = [];
    for (let count = 0; count < STRANGERS; count += 1) {
      const stranger = keep(await RawClient.connect(server, AGENT_HUB_PATH));
      stranger.socket.write(beginning);
      strangers.push(stranger);
    }
    const ended = (): number => strangers.filter(({ isClosed }) => isClosed).length;
    await eventually('too many have ended', () => (STRANGERS - ended()) * UNFINISHED_BYTES <= MOST_BYTES);
    expect(ended()).toBeLessThan(STRANGERS);
    expect(backlog.bytes).toBeLessThanOrEqual(MOST_BYTES);
    const currentUsers = Array.from({ length: 256 }, (_, index) => `${index} ${'u'.repeat(200)}`);
    expect((await agent.heartbeat({ currentUsers })).isSuccess).toBe(true);
    for (const stranger of strangers) await stranger.stop();
    await eventually('nothing is held of those that have left', () => backlog.bytes === 0);
  });

  it('may not begin before the handshake', async () => {
    const stranger = keep(await RawClient.open(server, AGENT_HUB_PATH));
    stranger.socket.write(Buffer.concat([frameHeader(UNFINISHED_BYTES + 1), bytes]));
    stranger.socket.resume();
    await eventually('the connection ends', () => stranger.isClosed);
  });
});
