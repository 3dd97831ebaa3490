import { describe, expect } from 'vitest';
import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';

import type { Program } from '../../demo/program.js';
import type { Service } from '../../demo/service.js';
import { formatKey } from '../../src/platform/common/identifiers/secret.js';
import { ApiClient } from '../support/application/api-client.js';
import type { ServerHealthResponseDto } from '../../src/system/doctor/doctor.dto.js';
import type { ServerSettingsResponseDto } from '../../src/system/server-settings/server-settings.dto.js';
import { createTestDatabase, type TestDatabase } from '../support/brokers/postgres.js';
import { PASSWORD } from '../support/callers/browser.js';
import { eventually } from '../support/eventually.js';
import { onDatabase, onMachine, type Machine } from '../support/processes/service-process.js';
import { MAILED_ADDRESS, MailServer } from '../support/stand-ins/mail-server.js';

const EMAIL = 'admin@example.org';
const TOKEN = { id: randomUUID(), secret: 'the-configured-secret-of-32-chars-or-more' };
const ADMINISTRATOR = {
  Service_Bootstrap__AdminEmail: EMAIL,
  Service_Bootstrap__AdminPassword: PASSWORD,
  Service_Bootstrap__AdminPatTokenId: TOKEN.id,
  Service_Bootstrap__AdminPatSecret: TOKEN.secret,
};
const READ_AGAIN = 'The configuration was read again';

const it = onMachine
  .extend('database', async ({ onTestFinished }) => {
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    return database;
  })
  .extend('mail', async ({ onTestFinished }) => {
    const server = await MailServer.start();
    onTestFinished(() => server.stop());
    return server;
  });

describe.concurrent('SIGHUP', () => {
  async function write(machine: Machine, settings: object): Promise<void> {
    await writeFile(join(machine.folder, 'settings.json'), JSON.stringify(settings));
  }

  /** Signals the service and waits for this line of its log. */
  async function reload(program: Program, line: string): Promise<void> {
    program.signal('SIGHUP');
    await program.untilPrints(new RegExp(escaped(line)));
  }

  async function sendTestMail({ url }: Service): Promise<number> {
    const administrator = new ApiClient(url, { 'x-personal-token': formatKey(TOKEN.id, TOKEN.secret) });
    return (await administrator.post('/api/v1/test-email')).status;
  }

  it('changes the findings of the doctor and of the settings of the server', async ({ machine, database }) => {
    await write(machine, { AppOptions: { CorsAllowedOrigins: 'https://example.org' }, Backup: { At: '02:30' } });
    const service = await machine.start(onDatabase(database));
    const client = machine.client(service);
    const kinds = async (): Promise<readonly (string | null)[]> =>
      (await client.post('/account/server-health')).as<ServerHealthResponseDto>().report?.findings.map(({ kind }) => kind) ?? [];
    const backups = async (): Promise<unknown> =>
      (await client.get('/account/server-settings')).as<ServerSettingsResponseDto>().backups.findings;
    expect([await kinds(), await backups()]).toEqual([expect.arrayContaining(['options-contradict']), []]);

    await write(machine, { Backup: { At: '' } });
    await reload(service.program, `${READ_AGAIN}. Changed: Backup:At: 02:30 → (empty).`);
    expect(await backups()).toEqual([{ kind: 'BackupsOff' }]);
    // For some seconds the last report is answered again.
    await eventually('the doctor no longer finds it', async () => !(await kinds()).includes('options-contradict'));
  });

  it('takes a mail server, its password and the log level from the file and the secrets', async ({ machine, database, mail }) => {
    const secrets = join(machine.folder, 'secrets');
    await mkdir(secrets);
    const appOptions = { PublicUrl: MAILED_ADDRESS, EnableDockerSecrets: true };
    await write(machine, { AppOptions: appOptions, SecretsPath: secrets });
    const service = await machine.start({ ...onDatabase(database), ...ADMINISTRATOR });
    expect(await sendTestMail(service)).toBe(409);

    await writeFile(join(secrets, 'AppOptions__SmtpPassword'), 'Tr0ub4dor');
    const sender = { SmtpEmail: 'service@example.org', SmtpDisplayName: 'Devices', SmtpUserName: 'devices' };
    const smtp = { SmtpHost: '127.0.0.1', SmtpPort: mail.port, ...sender };
    await write(machine, { AppOptions: { ...appOptions, ...smtp }, SecretsPath: secrets, Logging: { LogLevel: { Default: 'Debug' } } });
    await reload(
      service.program,
      `${READ_AGAIN}. Changed: AppOptions:SmtpHost: (empty) → 127.0.0.1, AppOptions:SmtpPort: 587 → ${mail.port}, `,
    );
    await service.program.untilPrints(/AppOptions:SmtpPassword \(secret\).*, Logging:LogLevel:Default: Information → Debug\./);
    expect(service.program.output).not.toContain('Tr0ub4dor');
    expect(await sendTestMail(service)).toBe(200);
    await mail.mailTo(EMAIL);
    expect(mail.received.at(-1)).toMatchObject({ user: 'devices' });
  });

  it('changes nothing when an option is invalid, and names it', async ({ machine, database }) => {
    await write(machine, { AppOptions: { PublicUrl: MAILED_ADDRESS } });
    const service = await machine.start({ ...onDatabase(database), ...ADMINISTRATOR });
    await write(machine, { AppOptions: { SmtpHost: '127.0.0.1', SmtpPort: 'twenty-five' }, Logging: { LogLevel: { Default: 'None' } } });
    await reload(service.program, `${READ_AGAIN} and is invalid, so nothing changed:`);
    await service.program.untilPrints(/AppOptions:SmtpPort in .*settings\.json: expected a whole number from 1 to 65535/);
    await writeFile(join(machine.folder, 'settings.json'), '{ "AppOptions": ');
    await reload(service.program, 'expected a JSON object, but it is not valid JSON');
    // The log still writes, and the former options count: the public address is not reported as changed.
    await write(machine, { AppOptions: { PublicUrl: MAILED_ADDRESS } });
    await reload(service.program, `${READ_AGAIN}: no option changed that can change without a restart.`);
    expect(service.program.output).not.toContain('changes with the next start only');
  });

  it('names the options that need a restart, and keeps them', async ({ machine, database, mail }) => {
    await write(machine, {});
    const { Service_AppOptions__PublicUrl: publicUrl, ...mailServer } = mail.env;
    const service = await machine.start({ ...onDatabase(database), ...ADMINISTRATOR, ...mailServer });
    await write(machine, { AppOptions: { PublicUrl: publicUrl, SecurityLogRetentionDays: 7 } });
    await reload(service.program, `${READ_AGAIN}. Changed: AppOptions:SecurityLogRetentionDays: `);
    await service.program.untilPrints(/read again: AppOptions:PublicUrl changes with the next start only\./);
    // Mail needs the public address.
    expect(await sendTestMail(service)).toBe(409);
    expect(mail.received).toEqual([]);
  });

  it('limits the retention of tenants at once', async ({ machine, database }) => {
    await write(machine, { AppOptions: { DeviceActivityRetentionDays: 200 } });
    const service = await machine.start(onDatabase(database));
    const client = machine.client(service);
    const { tenantId } = (await client.post('/api/v1/tenants', { body: { name: 'Workshop' } })).as<{ tenantId: string }>();
    const choose = (deviceActivityDays: number) =>
      client.put('/account/log-retention', { query: { tenantId }, body: { deviceActivityDays } });
    expect((await choose(150)).as()).toMatchObject({ deviceActivityDays: 150, server: { deviceActivityDays: 200 } });
    await write(machine, { AppOptions: { DeviceActivityRetentionDays: 100 } });
    await reload(service.program, `${READ_AGAIN}. Changed: AppOptions:DeviceActivityRetentionDays: 200 → 100.`);
    expect([(await choose(150)).status, (await choose(100)).status]).toEqual([400, 200]);
  });

  it('waits for the end of the start', async ({ machine, database }) => {
    const gate = await Gate.before(database.connection);
    machine.alsoStop(gate);
    const program = machine.launch({ ...onDatabase(database), POSTGRES_HOST: '127.0.0.1', POSTGRES_PORT: String(gate.port) });
    await gate.reached;
    await write(machine, { AppOptions: { SmtpHost: 'mail.example.org' } });
    program.signal('SIGHUP');
    gate.open();
    await program.untilPrints(/Listening on/);
    await program.untilPrints(/Changed: AppOptions:SmtpHost: \(empty\) → mail\.example\.org\./);
    expect(program.isRunning).toBe(true);
  });
});

/** A TCP proxy in front of PostgreSQL that passes nothing on until it is opened. */
class Gate {
  readonly reached: Promise<unknown>;
  private readonly opening = new EventEmitter();
  private readonly opened = once(this.opening, 'open');
  private readonly sockets: Socket[] = [];

  private constructor(
    private readonly server: Server,
    { host, port }: TestDatabase['connection'],
  ) {
    this.reached = once(server, 'connection');
    server.on('connection', (socket: Socket) => {
      const upstream = host.startsWith('/') ? connect(join(host, `.s.PGSQL.${port}`)) : connect(port, host);
      for (const end of [socket, upstream]) this.sockets.push(end.on('error', () => undefined));
      void this.opened.then(() => socket.pipe(upstream).pipe(socket));
    });
  }

  static async before(connection: TestDatabase['connection']): Promise<Gate> {
    const server = createServer({ pauseOnConnect: true });
    const gate = new Gate(server, connection);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return gate;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  open(): void {
    this.opening.emit('open');
  }

  async stop(): Promise<void> {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }
}

function escaped(line: string): string {
  return line.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
