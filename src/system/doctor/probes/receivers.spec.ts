import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

import { expect, it } from 'vitest';

import { Authority } from '../../../../test/support/stand-ins/certificates.js';
import { loadSettings } from '../../../platform/config/load-settings.js';
import { receiverFacts } from './receivers.js';

/** A receiver that stands still when its part of the handshake is sent, before it sees that the client has no certificate. */
const RECEIVER = `
  const { createServer } = require('node:tls');
  const { parentPort, workerData } = require('node:worker_threads');
  const server = createServer({ ...workerData, requestCert: true });
  const standStill = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
  server.once('keylog', () => setImmediate(standStill));
  server.listen(0, 'localhost', () => parentPort.postMessage(server.address().port));
`;

it('a busy receiver of logs that refuses the certificate of the service is found', async () => {
  const authority = new Authority();
  const folder = await mkdtemp(join(tmpdir(), 'receivers-'));
  const receiver = new Worker(RECEIVER, { eval: true, workerData: { ...authority.issue('localhost'), ca: authority.cert } });
  try {
    const [port] = (await once(receiver, 'message')) as [number];
    await writeFile(join(folder, 'authority.pem'), authority.cert);
    const env = { Service_Forwarding__SyslogUrl: `tls://localhost:${port}`, Service_Forwarding__SyslogCaFile: 'authority.pem' };
    const { settings } = loadSettings({ env, cwd: folder });
    const problem = expect.stringMatching(/certificate|ECONNRESET/) as string;
    expect(await receiverFacts(settings)).toMatchObject([{ name: `localhost:${port}`, problem }]);
  } finally {
    await receiver.terminate();
    await rm(folder, { recursive: true });
  }
});
