import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { giveUpAtStandstill } from './standstill-limit.js';

/** More than the network's buffers hold. */
const FLOOD = Buffer.alloc(128 * 1024 * 1024);

describe('a connection that is given up at a standstill', () => {
  const server = createServer();
  let client: Socket;
  let side: Socket;

  beforeEach(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('error', () => undefined);
    [side] = (await once(server, 'connection')) as [Socket];
    giveUpAtStandstill(side, 50);
  });

  afterEach(async () => {
    client.destroy();
    side.destroy();
    server.close();
    await once(server, 'close');
  });

  it('stays while it is idle, and ends when what is written is not taken', async () => {
    await once(side, 'timeout');
    expect(side.destroyed).toBe(false);
    side.write(FLOOD);
    await once(side, 'close');
    expect(client.bytesRead).toBeLessThan(FLOOD.length);
  });
});
