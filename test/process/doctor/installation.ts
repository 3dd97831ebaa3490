import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import pg from 'pg';

import { plainEnvironment } from '../../../demo/service.js';
import { BackupKind, backupName } from '../../../src/system/backups/running/backup-files.js';
import type { DoctorReport } from '../../../src/system/doctor/examination.js';
import { builtProject, Machine, portToKeep, type Environment } from '../../support/processes/service-process.js';
import { BACKUP_FAR_AWAY } from '../../support/setup/nightly-backup.js';
import { Authority } from '../../support/stand-ins/certificates.js';
import { CLIENT, IdentityProvider } from '../../support/stand-ins/identity-provider.js';
import { MailServer } from '../../support/stand-ins/mail-server.js';
import { FaultyProxy } from './proxy.js';

/** A run of the doctor that has ended. */
export interface Examined {
  readonly code: number | null;
  readonly output: string;
  /** Text of standard error. */
  readonly complaints: string;
}

/** Longest run of the doctor, in milliseconds. */
const DEADLINE_MS = 120_000;

/** Length of the silence that the doctor asks for, in seconds. */
const SILENCE = 1;
const HOUR_MS = 60 * 60_000;
const PLATFORM = 'linux-x64';

/** Programs around a service. */
interface Surroundings {
  readonly authority: Authority;
  readonly proxy: FaultyProxy;
  readonly mail: MailServer;
  readonly provider: IdentityProvider;
}

/** An installation without faults: a service that runs, a proxy, a mail server and an OpenID Connect provider. */
export class Installation {
  private constructor(
    readonly machine: Machine,
    readonly surroundings: Surroundings,
    private readonly project: string,
    private readonly env: Environment,
  ) {}

  static async start(): Promise<Installation> {
    const project = await builtProject();
    const machine = await Machine.afterFirstStart();
    const port = await portToKeep();
    const authority = new Authority();
    const proxy = await FaultyProxy.start(authority.issue('localhost'), port);
    const [mail, provider] = await Promise.all([MailServer.start(), IdentityProvider.start()]);
    provider.register([`${proxy.url}/account/external/corporate/callback`]);
    const authorityFile = join(machine.folder, 'authority.pem');
    await writeFile(authorityFile, authority.cert);
    await publishAgent(machine.dataPath);
    const env = {
      NODE_ENV: 'production',
      NODE_EXTRA_CA_CERTS: authorityFile,
      Service_DataPath: machine.dataPath,
      Service_Port: String(port),
      Service_BindAddress: '127.0.0.1',
      Service_Bootstrap__AdminEmail: 'admin@example.org',
      Service_Bootstrap__AdminPassword: 'Aa1-of-the-administrator',
      Service_AgentBundle__Folder: join(machine.folder, 'agent-bundles'),
      Service_OpenIdConnect__0__Name: 'corporate',
      Service_OpenIdConnect__0__DisplayName: 'Contoso',
      Service_OpenIdConnect__0__Issuer: provider.issuer,
      Service_OpenIdConnect__0__ClientId: CLIENT.id,
      Service_OpenIdConnect__0__ClientSecret: CLIENT.secret,
      ...mail.env,
      Service_AppOptions__SmtpUserName: 'devices',
      Service_AppOptions__SmtpPassword: 'a password',
      Service_AppOptions__PublicUrl: proxy.url,
      Service_AppOptions__UploadSpoolReserve: '1',
      // The doctor reads it, too.
      ...BACKUP_FAR_AWAY,
    };
    await machine.start(env);
    const installation = new Installation(machine, { authority, proxy, mail, provider }, project, env);
    await installation.backUp(1);
    return installation;
  }

  /** Leaves one backup, which began so many hours ago. */
  async backUp(hoursAgo: number): Promise<void> {
    const folder = join(this.dataPath, 'backups');
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { mode: 0o700 });
    await writeFile(join(folder, backupName(BackupKind.Nightly, new Date(Date.now() - hoursAgo * HOUR_MS), false)), 'a backup');
  }

  /** A file of the published agent. */
  agentFile(name: string): string {
    return join(this.dataPath, 'downloads', PLATFORM, name);
  }

  get dataPath(): string {
    return this.machine.dataPath;
  }

  /** Runs the doctor to its end. `env` adds to the configuration of the service. */
  async doctor(args: readonly string[] = [], env: Environment = {}): Promise<Examined> {
    const folder = join(this.machine.folder, 'doctor');
    await mkdir(folder, { recursive: true });
    const options = { cwd: folder, env: { ...plainEnvironment(), ...this.env, ...env }, timeout: DEADLINE_MS };
    return new Promise((resolve) => {
      const program = execFile(
        process.execPath,
        [join(this.project, 'dist/service/doctor.js'), ...args],
        options,
        (_error, output, complaints) => resolve({ code: program.exitCode, output, complaints }),
      );
    });
  }

  /** As `doctor`, with its report. */
  async report(env: Environment = {}): Promise<{ readonly code: number | null; readonly report: DoctorReport }> {
    const { code, output } = await this.doctor(['--json', '--silence', String(SILENCE)], env);
    return { code, report: JSON.parse(output) as DoctorReport };
  }

  /** Runs a statement as the superuser of the bundled database. */
  async superuser(statement: string): Promise<void> {
    const client = new pg.Client({ host: join(this.dataPath, 'run'), user: 'app', database: 'app' });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  }

  async close(): Promise<void> {
    const { proxy, mail, provider } = this.surroundings;
    await this.machine.close();
    await Promise.all([proxy.stop(), mail.stop(), provider.stop()]);
  }
}

async function publishAgent(dataPath: string): Promise<void> {
  const folder = join(dataPath, 'downloads', PLATFORM);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'device-agent.tar.gz'), gzipSync('an agent'));
  await writeFile(join(folder, 'device-agent.version'), '0.1.0.0');
}
