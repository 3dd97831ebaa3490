import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server } from 'node:tls';

import { afterEach, describe, expect, it } from 'vitest';

import { HubLink } from '../../../agent/src/connection/hub-link.js';
import { isServerAway } from '../../../agent/src/connection/server-away.js';
import { Authority, type Identity } from '../../support/stand-ins/certificates.js';

const SILENT = { info: (): void => undefined, warn: (): void => undefined, error: (): void => undefined };

describe('a peer that answers for the server of an agent', () => {
  let peer: Server | undefined;

  afterEach(() => peer?.close());

  /** Starts the peer and returns its port. */
  async function listen(identity: Identity): Promise<number> {
    peer = createServer(identity).listen(0, '127.0.0.1');
    await once(peer, 'listening');
    return (peer.address() as AddressInfo).port;
  }

  it('is no server that was reached if an unknown authority has certified it', async () => {
    const port = await listen(new Authority().issue('localhost'));
    const error: unknown = await new HubLink(`https://localhost:${port}`, SILENT).connect().catch((fault: unknown) => fault);
    expect(isServerAway(error)).toBe(true);
  });

  it.each([
    ['for another name', 'portal.example.org', 365],
    ['that has expired, or seems so to a wrong clock', 'localhost', -1],
  ])('is no server that was reached if it has a certificate %s', async (_, host, days) => {
    const authority = new Authority();
    const socket = connect({ host: 'localhost', port: await listen(authority.issue(host, days)), ca: authority.cert });
    const error: unknown = await new Promise((resolve) => socket.once('error', resolve).once('secureConnect', resolve));
    socket.destroy();
    expect(isServerAway(error)).toBe(true);
  });
});
