import { beforeAll, describe, expect } from 'vitest';

import type { Service } from '../../demo/service.js';
import { EventStreamReader, type ReadEvent } from '../support/application/event-stream-reader.js';
import { Work } from '../support/devices/continuous-work.js';
import { enrol } from '../support/devices/reporting-device.js';
import { eventually } from '../support/eventually.js';
import { builtProject, onMachine, portToKeep, type Machine } from '../support/processes/service-process.js';

interface Page {
  readonly items: readonly ReadEvent[];
  readonly next: string | null;
}

describe.concurrent('events after kill -9', () => {
  // Here, so that no test's own time limit holds the build.
  beforeAll(builtProject);

  async function all(machine: Machine, service: Service, tenantId: string): Promise<ReadEvent[]> {
    const events: ReadEvent[] = [];
    for (let after: string | undefined; ;) {
      const page = (await machine.client(service).get('/api/events', { query: { tenantId, after, limit: 500 } })).as<Page>();
      if (page.items.length === 0) return events;
      events.push(...page.items);
      after = page.next ?? undefined;
    }
  }

  onMachine('of the service: a reader that goes on gets each event once, and none of acknowledged work is missing', async ({ machine }) => {
    const port = { Service_Port: String(await portToKeep()) };
    const key = { 'x-api-key': machine.account.key };
    let service = await machine.start(port);
    const enrolment = await enrol(machine.client(service));
    const { tenantId } = enrolment;
    const work = await Work.begin(service.url, enrolment);
    machine.alsoStop(work);
    const url = `${service.url}/api/events/stream?tenantId=${tenantId}`;
    const read: ReadEvent[] = [];
    let lastId = '';
    for (let kill = 0; kill < 3; kill += 1) {
      const reader = await EventStreamReader.open(url, lastId === '' ? key : { ...key, 'last-event-id': lastId });
      expect(reader.status).toBe(200);
      const before = work.registered.length;
      await eventually('devices are registered', () => work.registered.length >= before + 10);
      await reader.received(5);
      await service.program.kill();
      await reader.ended();
      read.push(...reader.events);
      if (reader.lastId !== '') ({ lastId } = reader);
      service = await machine.start(port);
    }
    await work.stop();
    const isRegistered = (events: readonly ReadEvent[], id: string): boolean => {
      return events.some(({ kind, deviceId }) => kind === 'device.registered' && deviceId === id);
    };
    // The last events are numbered when the service has started.
    await eventually('all events are visible', async () => {
      const events = await all(machine, service, tenantId);
      return work.registered.every((id) => isRegistered(events, id));
    });
    const last = await EventStreamReader.open(`${url}&wait=2`, { ...key, 'last-event-id': lastId });
    await last.ended();
    read.push(...last.events);

    const stored = await all(machine, service, tenantId);
    expect(read.map(({ id }) => id)).toEqual(stored.map(({ id }) => id));
    expect(new Set(read.map(({ id }) => id)).size).toBe(read.length);
    expect(work.registered.filter((id) => !isRegistered(read, id))).toEqual([]);
  });
});
