import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { beforeAll, describe, expect } from 'vitest';

import type { Service } from '../../demo/service.js';
import { eventually } from '../support/eventually.js';
import { builtProject, onMachine, type Environment, type Machine } from '../support/processes/service-process.js';
import { Authority, type Identity } from '../support/stand-ins/certificates.js';
import { SyslogReceiver } from '../support/stand-ins/syslog-receiver.js';
import { WebhookReceiver } from '../support/stand-ins/webhook-receiver.js';

const PATIENT_MS = 120_000;
/** Tenants that are made before the process is killed. */
const BEFORE_KILL = 30;

interface Line {
  readonly id: string;
  readonly entry: { readonly id: string; readonly targetId: string };
}

const parsed = (text: string): Line => JSON.parse(text) as Line;

/** Makes tenants until the service is killed. Returns the ids of those that it confirmed. */
async function changeUntilKilled(machine: Machine, service: Service): Promise<readonly string[]> {
  const client = machine.client(service);
  const made: string[] = [];
  const loops = [1, 2, 3].map(async (loop) => {
    for (let count = 0; ; count += 1) {
      try {
        const answer = await client.post('/api/v1/tenants', { body: { name: `Tenant ${loop}-${count}` } });
        made.push(answer.as<{ tenantId: string }>().tenantId);
      } catch {
        return;
      }
    }
  });
  await eventually('changes were made', () => made.length >= BEFORE_KILL, PATIENT_MS);
  await service.program.kill();
  await Promise.all(loops);
  return made;
}

/** Kills the service during changes and expects that the receiver gets all of them, and those twice only that have the same id. */
async function expectAllAfterKill(machine: Machine, env: Environment, lines: () => Promise<readonly Line[]>): Promise<void> {
  const service = await machine.start(env);
  const made = await changeUntilKilled(machine, service);
  await machine.start(env);
  const missing = async (): Promise<readonly string[]> => {
    const come = new Set((await lines()).map(({ entry }) => entry.targetId));
    return made.filter((id) => !come.has(id));
  };
  await eventually('every change has come', async () => (await missing()).length === 0, PATIENT_MS);
  const idsOf = new Map<string, Set<string>>();
  for (const { id, entry } of await lines()) idsOf.set(entry.id, (idsOf.get(entry.id) ?? new Set()).add(id));
  expect([...idsOf.values()].filter(({ size }) => size !== 1)).toEqual([]);
}

describe.concurrent('logs that are forwarded', () => {
  // Here, so that no test's own time limit holds the build.
  beforeAll(builtProject);

  onMachine('are all in the file after kill -9 of the service', async ({ machine }) => {
    const file = join(machine.folder, 'lines.jsonl');
    const lines = async (): Promise<readonly Line[]> =>
      (await readFile(file, 'utf8').catch(() => ''))
        .split('\n')
        .filter((line) => line.endsWith('}'))
        .map(parsed);
    await expectAllAfterKill(machine, { Service_Forwarding__File: file, Service_Forwarding__Logs: 'ChangeLog' }, lines);
  });

  onMachine('are all with the receiver of requests, which was silent when the service was killed', async ({ machine }) => {
    const receiver = machine.alsoStop(await WebhookReceiver.start());
    let isSilent = true;
    receiver.answers.set('/', (response) => {
      if (!isSilent) response.writeHead(204).end();
    });
    const lines = (): Promise<readonly Line[]> => {
      isSilent = receiver.at('/').length < 2;
      return Promise.resolve(receiver.at('/').flatMap(({ body }) => body.split('\n').slice(0, -1).map(parsed)));
    };
    await expectAllAfterKill(machine, { Service_Forwarding__HttpUrl: receiver.url, Service_Forwarding__Logs: 'ChangeLog' }, lines);
  });

  onMachine('are all with the receiver of syslog over TLS after kill -9, once its certificate is trusted', async ({ machine }) => {
    const authority = new Authority();
    const receiver = machine.alsoStop(await SyslogReceiver.overTls(authority.issue('localhost')));
    const env = { Service_Forwarding__SyslogUrl: receiver.url, Service_Forwarding__Logs: 'ChangeLog' };
    const service = await machine.start(env);
    const made = await changeUntilKilled(machine, service);
    expect(receiver.messages).toEqual([]);

    const distrustful = await machine.start(env);
    await distrustful.program.untilPrints(/Logs could not be forwarded\..*Syslog.*certificate/s);
    // Further attempts fail without a line.
    await eventually('an attempt has failed again', () => receiver.refused >= 3, PATIENT_MS);
    expect(distrustful.program.output.split('Logs could not be forwarded.')).toHaveLength(2);
    await distrustful.program.kill();

    const path = join(machine.folder, 'authority.pem');
    await writeFile(path, authority.cert);
    const trustful = await machine.start({ ...env, NODE_EXTRA_CA_CERTS: path });
    const come = (): Set<string> => new Set(receiver.lines<Line>().map(({ entry }) => entry.targetId));
    await eventually('every change has come', () => made.every((id) => come().has(id)), PATIENT_MS);
    await changeUntilKilled(machine, trustful);
    expect(receiver.faults.filter((fault) => !fault.startsWith('The connection ended'))).toEqual([]);
  });

  onMachine('begin and end with SIGHUP, and go on after a wrong address', async ({ machine }) => {
    const file = join(machine.folder, 'lines.jsonl');
    const configure = (forwarding: object): Promise<void> =>
      writeFile(join(machine.folder, 'settings.json'), JSON.stringify({ Forwarding: forwarding }));
    await configure({});
    const { program, url } = await machine.start();
    const change = async (): Promise<string> =>
      (await machine.client({ url }).post('/api/v1/tenants', { body: { name: 'Contoso' } })).as<{ tenantId: string }>().tenantId;
    const comes = (id: string): Promise<void> =>
      eventually('the change comes', async () => (await readFile(file, 'utf8').catch(() => '')).includes(`"targetId":"${id}"`), PATIENT_MS);
    const before = await change();

    await configure({ File: file, Logs: ['ChangeLog'], HttpToken: 'a secret token' });
    program.signal('SIGHUP');
    await program.untilPrints(/Changed: .*Forwarding:File: \(empty\) → .*lines\.jsonl, Forwarding:HttpToken \(secret\)\./);
    // The cursor begins with the next look.
    await eventually(
      'changes come',
      async () => (await change()) !== '' && (await readFile(file, 'utf8').catch(() => '')) !== '',
      PATIENT_MS,
    );
    await comes(await change());
    expect(await readFile(file, 'utf8')).not.toContain(before);
    expect(program.output).not.toContain('a secret token');

    await configure({ File: '/nonexistent/lines.jsonl' });
    program.signal('SIGHUP');
    await program.untilPrints(/is invalid, so nothing changed: Forwarding:File in .*: expected a file in a folder that exists/);
    await comes(await change());

    await configure({});
    program.signal('SIGHUP');
    await program.untilPrints(/A log is no longer forwarded to this destination\./);
  });

  onMachine('go on when the certificate that the service shows is replaced and SIGHUP comes', async ({ machine }) => {
    const [authority, senders] = [new Authority(), new Authority('Authority of the senders')];
    const receiver = machine.alsoStop(await WebhookReceiver.startSecure(authority.issue('localhost'), senders.cert));
    const at = (name: string): string => join(machine.folder, name);
    const show = ({ cert, key }: Identity): Promise<unknown> =>
      Promise.all([writeFile(at('own.crt'), cert), writeFile(at('own.key'), key)]);
    const ended = senders.issue('device-management', -1);
    const renewed = senders.issue('device-management');
    await writeFile(at('authority.pem'), authority.cert);
    await show(ended);
    const files = { HttpCaFile: at('authority.pem'), HttpCertificateFile: at('own.crt'), HttpKeyFile: at('own.key') };
    await writeFile(at('settings.json'), JSON.stringify({ Forwarding: { ...files, HttpUrl: receiver.url, Logs: ['ChangeLog'] } }));
    const service = await machine.start();
    const { tenantId } = (await machine.client(service).post('/api/v1/tenants', { body: { name: 'Contoso' } })).as<{ tenantId: string }>();
    await service.program.untilPrints(/Logs could not be forwarded\..*Http/s);

    // Half of a renewal changes nothing.
    await writeFile(at('own.crt'), renewed.cert);
    service.program.signal('SIGHUP');
    await service.program.untilPrints(
      /is invalid, so nothing changed: Forwarding:HttpKeyFile in .*: expected the private key of the first certificate in Forwarding:HttpCertificateFile/,
    );
    await show(renewed);
    service.program.signal('SIGHUP');
    await service.program.untilPrints(/Changed: Forwarding:HttpCertificateFile \(new content\), Forwarding:HttpKeyFile \(new content\)\./);
    await eventually('the change comes', () => receiver.at('/').some(({ body }) => body.includes(`"targetId":"${tenantId}"`)), PATIENT_MS);
    for (const { key } of [ended, renewed]) expect(service.program.output).not.toContain(key.split('\n')[1]);
  });

  onMachine('are on standard output between the lines of the service', async ({ machine }) => {
    const service = await machine.start({ Service_Forwarding__File: '-' });
    const { tenantId } = (await machine.client(service).post('/api/v1/tenants', { body: { name: 'Contoso' } })).as<{ tenantId: string }>();
    await service.program.untilPrints(new RegExp(`^\\{"id":"[-0-9a-f]+","log":"ChangeLog",.*"targetId":"${tenantId}".*\\}$`, 'm'));
  });
});
