import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { beforeAll, describe, expect } from 'vitest';

import { enrol } from '../support/devices/reporting-device.js';
import { eventually } from '../support/eventually.js';
import { builtProject, type Environment, onMachine } from '../support/processes/service-process.js';

const NAMES = pathToFileURL(join(import.meta.dirname, '../support/stand-ins/changing-names.mjs')).href;
const NAME = 'changes.example.org';
/** An address of the public internet. Nothing is sent to it: the name leads elsewhere by then. */
const PUBLIC = '93.184.215.14';
const LOOPBACK = '127.0.0.1';

describe('a webhook whose name leads to this machine after it was saved', () => {
  beforeAll(builtProject);

  const cases: readonly (readonly [title: string, env: Environment, isConnected: boolean, error: RegExp])[] = [
    ['is not connected to', {}, false, /^The address is not of the public internet\./],
    // Shows that nothing but the check of the address keeps the connection away.
    ['is connected to where private addresses are allowed', { Service_Webhooks__AllowPrivateAddresses: 'true' }, true, /./],
  ];

  for (const [title, allowed, isConnected, error] of cases) {
    onMachine(title, async ({ machine }) => {
      let connected = 0;
      const receiver = createServer((socket) => {
        connected += 1;
        socket.destroy();
      });
      receiver.listen(0, LOOPBACK);
      await once(receiver, 'listening');
      machine.alsoStop({ stop: () => new Promise((done) => receiver.close(done)) });

      const file = join(machine.folder, 'names.json');
      const leadTo = (address: string): Promise<void> => writeFile(file, JSON.stringify({ [NAME]: address }));
      await leadTo(PUBLIC);
      const service = await machine.start({ ...allowed, NODE_OPTIONS: `--import ${NAMES}`, CHANGING_NAMES: file });
      const client = machine.client(service);
      const { tenantId } = await enrol(client);
      const query = { tenantId };
      const url = `https://${NAME}:${(receiver.address() as AddressInfo).port}/`;
      const created = await client.post('/api/webhooks', { query, body: { url, kinds: ['device.registered'] } });
      expect(created.status).toBe(201);
      const { id } = created.body as { readonly id: string };

      await leadTo(LOOPBACK);
      const again = await client.post('/api/webhooks', { query, body: { url, kinds: ['device.registered'] } });
      expect(again.status).toBe(isConnected ? 201 : 400);
      expect((await client.post(`/api/webhooks/${id}/test`, { query })).status).toBe(202);
      const lastError = async (): Promise<string | null> => {
        const { body } = await client.get(`/api/webhooks/${id}/deliveries`, { query });
        return (body as { readonly items: readonly { readonly lastError: string | null }[] }).items[0]?.lastError ?? null;
      };
      await eventually('the attempt has failed', async () => (await lastError()) !== null);
      expect(await lastError()).toMatch(error);
      expect(connected > 0).toBe(isConnected);
    });
  }
});
