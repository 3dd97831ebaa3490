import { afterAll, beforeEach, describe, expect, it } from 'vitest';

import { ForwarderLimits } from '../../../../src/system/forwarding/forwarder.js';
import { ForwardingRepository } from '../../../../src/system/forwarding/forwarding.repository.js';
import { eventually } from '../../../support/eventually.js';
import { testServer, testTenant } from '../../../support/setup/test-server.js';
import { WebhookReceiver, type ReceivedDelivery } from '../../../support/stand-ins/webhook-receiver.js';
import { PATIENT_MS, writeChange } from './write-change.js';

interface Line {
  readonly id: string;
  readonly entry: { readonly id: string };
}

const PATH = '/logs?source=devices';
const linesOf = ({ body }: ReceivedDelivery): Line[] =>
  body
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);

describe('logs that are posted', async () => {
  const receiver = await WebhookReceiver.start();
  const server = testServer({
    Service_Forwarding__HttpUrl: `${receiver.url}${PATH}`,
    Service_Forwarding__HttpToken: 'a secret token',
    Service_Forwarding__Logs: 'ChangeLog',
  });
  const tenant = testTenant(server);
  afterAll(() => receiver.stop());

  /** The lines of requests that were answered with 204. */
  let taken: Line[];
  const take = (answer: Parameters<WebhookReceiver['answers']['set']>[1] | null): void => {
    receiver.answers.set(PATH, (response, request) => {
      if (answer !== null) return answer(response, request);
      const last = receiver.at(PATH).at(-1);
      if (last !== undefined) taken.push(...linesOf(last));
      response.writeHead(204).end();
    });
  };
  beforeEach(() => {
    taken = [];
    receiver.received.length = 0;
    take(null);
    Object.assign(server.app.get(ForwarderLimits, { strict: false }), { timeoutMs: 10_000 });
  });

  const write = async (count: number, after?: string): Promise<string[]> => {
    const ids: string[] = [];
    for (let written = 0; written < count; written += 1) ids.push(await writeChange(server, tenant.id, { after }));
    return ids;
  };
  const come = (ids: readonly string[]): Promise<void> =>
    eventually(
      'all lines come',
      () => {
        const arrived = new Set(taken.map(({ entry }) => entry.id));
        return ids.every((id) => arrived.has(id));
      },
      PATIENT_MS,
    );
  const attempts = (count: number): Promise<void> => eventually(`${count} attempts`, () => receiver.at(PATH).length >= count, PATIENT_MS);
  /** Expects that each of these has come, and under one id, however often. */
  const expectSameIds = (ids: readonly string[]): void => {
    const lines = receiver.at(PATH).flatMap(linesOf);
    for (const id of ids) expect(new Set(lines.filter(({ entry }) => entry.id === id).map((line) => line.id)).size).toBe(1);
  };

  it('come as JSON lines with the token, several in one request', async () => {
    // While the first request waits for its answer, others are written.
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    take((response) => void held.then(() => response.writeHead(503).end()));
    const ids = await write(1);
    await attempts(1);
    ids.push(...(await write(5)));
    answer();
    take(null);
    await come(ids);
    const last = receiver.at(PATH).find((request) => linesOf(request).length > 1);
    expect(last?.headers).toMatchObject({ 'content-type': 'application/x-ndjson', authorization: 'Bearer a secret token' });
    expectSameIds(ids);
  });

  it('come again after answers of failure, under the same ids', async () => {
    take((response) => void response.writeHead(500).end('broken'));
    const ids = await write(3);
    await attempts(3);
    const [standing] = await server.app.get(ForwardingRepository, { strict: false }).standing();
    expect(standing).toMatchObject({ destination: 'Http', failure: 'The receiver answered 500.', failingSince: expect.any(Date) });
    take(null);
    await come(ids);
    expectSameIds(ids);
  });

  it('come again after a receiver was silent, and a request takes no longer than before', async () => {
    Object.assign(server.app.get(ForwarderLimits, { strict: false }), { timeoutMs: 500 });
    take(() => undefined);
    const ids = await write(2);
    await attempts(2);
    expect((await server.client().get('/api/v1/tenants')).status).toBe(200);
    take(null);
    await come(ids);
    expectSameIds(ids);
  });

  it('do not follow a redirect', async () => {
    take((response) => void response.writeHead(307, { location: `${receiver.url}/elsewhere` }).end());
    const ids = await write(1);
    await attempts(2);
    expect(receiver.at('/elsewhere')).toEqual([]);
    take(null);
    await come(ids);
  });

  it('come in smaller requests when the receiver refuses large ones', async () => {
    // One statement, so that no look comes between.
    const count = 40;
    await server.dataSource.query(
      `INSERT INTO authorization_change_logs (id, action_type, actor_principal_type, target_type, owning_tenant_id)
       SELECT gen_random_uuid(), 'many', 'user', 'Tag', $1 FROM generate_series(1, ${count})`,
      [tenant.id],
    );
    const limit = 20;
    take((response) => {
      const lines = linesOf(receiver.at(PATH).at(-1) ?? { path: '', headers: {}, body: '' });
      if (lines.length > limit) return void response.writeHead(413).end();
      taken.push(...lines);
      response.writeHead(204).end();
    });
    await eventually('all lines come', () => taken.length >= count, PATIENT_MS);
    expect(Math.max(...receiver.at(PATH).map((request) => linesOf(request).length))).toBeGreaterThan(limit);
  });

  it('come without the values of a change that is too large for the receiver alone, and hold up no others', async () => {
    take((response) => {
      const { body } = receiver.at(PATH).at(-1) ?? { body: '' };
      if (body.length > 100_000) return void response.writeHead(413).end();
      taken.push(...linesOf(receiver.at(PATH).at(-1) ?? { path: '', headers: {}, body: '' }));
      response.writeHead(204).end();
    });
    const [large] = await write(1, JSON.stringify({ text: 'x'.repeat(200_000) }));
    const [small] = await write(1, '{"text":"short"}');
    await come([large, small]);
    const lineOf = (id: string): Line | undefined => taken.find(({ entry }) => entry.id === id);
    expect(lineOf(large)).toMatchObject({ isShortened: true, entry: { afterJson: null, actionType: 'tag-created' } });
    expect(lineOf(small)?.entry).toMatchObject({ afterJson: '{"text":"short"}' });
  });

  it('come in requests of limited size, whatever the rows hold', async () => {
    take((response) => void response.writeHead(503).end());
    const ids = await write(6, JSON.stringify({ text: 'x'.repeat(400_000) }));
    take(null);
    await come(ids);
    for (const { body } of receiver.at(PATH)) expect(body.length).toBeLessThan(1_300_000);
  });
});
