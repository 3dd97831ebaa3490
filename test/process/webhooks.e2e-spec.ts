import { beforeAll, describe, expect } from 'vitest';

import { Work } from '../support/devices/continuous-work.js';
import { enrol } from '../support/devices/reporting-device.js';
import { eventually } from '../support/eventually.js';
import { builtProject, onMachine, portToKeep } from '../support/processes/service-process.js';
import { WebhookReceiver } from '../support/stand-ins/webhook-receiver.js';

describe.concurrent('webhooks after kill -9', () => {
  // Here, so that no test's own time limit holds the build.
  beforeAll(builtProject);

  onMachine('of the service: their receiver gets every event, and one that it gets twice has the same id', async ({ machine }) => {
    const receiver = await WebhookReceiver.start();
    machine.alsoStop(receiver);
    const env = { Service_Port: String(await portToKeep()), Service_Webhooks__AllowPrivateAddresses: 'true' };
    const first = await machine.start(env);
    const enrolment = await enrol(machine.client(first));
    const { tenantId } = enrolment;
    const body = { url: `${receiver.url}/hook`, kinds: ['device.registered'] };
    const created = await machine.client(first).post('/api/webhooks', { query: { tenantId }, body });
    expect(created.status).toBe(201);
    // Nothing is answered until the process is killed: attempts are under way then.
    receiver.answers.set('/hook', () => undefined);
    const work = await Work.begin(first.url, enrolment);
    machine.alsoStop(work);
    await eventually('devices are registered', () => work.registered.length >= 20);
    await receiver.gets('/hook', 3);
    await first.program.kill();
    receiver.answers.set('/hook', (response) => void response.writeHead(204).end());
    await work.stop();

    await machine.start(env);
    const devices = (): Map<string, Set<string>> => {
      const ids = new Map<string, Set<string>>();
      for (const { body: text, headers } of receiver.at('/hook')) {
        const { deviceId } = (JSON.parse(text) as { data: { deviceId: string } }).data;
        ids.set(deviceId, (ids.get(deviceId) ?? new Set()).add(String(headers['webhook-id'])));
      }
      return ids;
    };
    // What was under way is sent again when its claim has ended.
    await eventually('every registration has come', () => work.registered.every((id) => devices().has(id)), 120_000);
    expect([...devices().values()].filter(({ size }) => size !== 1)).toEqual([]);
  });
});
