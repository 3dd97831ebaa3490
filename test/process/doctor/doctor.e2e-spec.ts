import { generateKeyPairSync } from 'node:crypto';
import { chmod, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { FindingKind } from '../../../src/system/doctor/finding-kinds.js';
import { Severity } from '../../../src/system/doctor/finding.js';
import type { Environment } from '../../support/processes/service-process.js';
import { withSmallDisk } from '../../support/setup/small-disk.js';
import { Authority } from '../../support/stand-ins/certificates.js';
import { MailServer, type MailHandlers } from '../../support/stand-ins/mail-server.js';
import { SyslogReceiver } from '../../support/stand-ins/syslog-receiver.js';
import { Installation } from './installation.js';
import type { ProxyFaults } from './proxy.js';

const LONG = 300_000;
const WARNING = 1;
const FAILURE = 2;

let sound: Installation;
let untrusted: MailServer | undefined;
let guarded: SyslogReceiver | undefined;

beforeAll(async () => {
  sound = await Installation.start();
}, LONG);

afterAll(() => sound.close());

/** A fault with the sentence that the doctor finds for it. */
interface Planted {
  readonly kind: FindingKind;
  readonly code: number;
  readonly says: RegExp;
  /** Options with which the doctor runs. */
  readonly env?: () => Environment;
  readonly plant?: () => Promise<unknown>;
  readonly mend?: () => Promise<unknown>;
}

const FAULTS: readonly Planted[] = [
  {
    kind: 'configuration-invalid',
    code: FAILURE,
    says: /Service_AppOptions__SmtpPort: expected a whole number/,
    env: () => ({ Service_AppOptions__SmtpPort: 'smtp' }),
  },
  {
    kind: 'option-unknown',
    code: WARNING,
    says: /Service_AppOptions__PublicUlr is not an option of this service; did you mean Service_AppOptions__PublicUrl\?/,
    env: () => ({ Service_AppOptions__PublicUlr: 'https://devices.example.org' }),
  },
  {
    kind: 'options-contradict',
    code: WARNING,
    says: /CorsAllowedOrigins has no effect while AppOptions:EnableCors is off/,
    env: () => ({ Service_AppOptions__CorsAllowedOrigins: 'https://example.org' }),
  },
  {
    kind: 'network-trusted',
    code: WARNING,
    says: /EnableNetworkTrust is on/,
    env: () => ({ Service_AppOptions__EnableNetworkTrust: 'true' }),
  },
  {
    kind: 'database-unreachable',
    code: FAILURE,
    says: /The database cannot be reached: .*ECONNREFUSED/,
    env: () => ({ POSTGRES_HOST: '127.0.0.1', POSTGRES_PORT: '1', POSTGRES_DB: 'app' }),
  },
  {
    kind: 'database-connections',
    code: FAILURE,
    says: /The account service can have 10 connections, and 1 process of the service needs 29/,
    plant: () => sound.superuser('ALTER ROLE service CONNECTION LIMIT 10'),
    mend: () => sound.superuser('ALTER ROLE service CONNECTION LIMIT -1'),
  },
  {
    kind: 'database-unsafe',
    code: FAILURE,
    says: /These settings are off: synchronous_commit/,
    plant: () => sound.superuser('ALTER ROLE service SET synchronous_commit = off'),
    mend: () => sound.superuser('ALTER ROLE service RESET synchronous_commit'),
  },
  {
    kind: 'database-owner',
    code: FAILURE,
    says: /1 table does not belong to the account service/,
    plant: () => sound.superuser('ALTER TABLE tags OWNER TO app'),
    mend: () => sound.superuser('ALTER TABLE tags OWNER TO service'),
  },
  {
    kind: 'data-folder-open',
    code: FAILURE,
    says: /Every account can write to /,
    plant: () => chmod(sound.dataPath, 0o777),
    mend: () => chmod(sound.dataPath, 0o755),
  },
  {
    kind: 'disk-short',
    code: WARNING,
    says: /left, less than the .* GiB that stay free/,
    env: () => ({ Service_AppOptions__UploadSpoolReserve: '900000000000000' }),
  },
  {
    kind: 'backup-missing',
    code: WARNING,
    says: /There is no backup in .*nowhere/,
    env: () => ({ Service_Backup__Folder: join(sound.machine.folder, 'nowhere') }),
    // A service that has just started makes its first one later.
    plant: () => sound.superuser(`UPDATE nodes SET started_at = started_at - interval '1 day'`),
    mend: () => sound.superuser(`UPDATE nodes SET started_at = started_at + interval '1 day'`),
  },
  {
    kind: 'backup-old',
    code: WARNING,
    says: /The last backup in .* is 2\d hours old/,
    plant: () => sound.backUp(27),
    mend: () => sound.backUp(1),
  },
  {
    kind: 'service-not-running',
    code: WARNING,
    says: /The service does not answer at http:\/\/127\.0\.0\.1:1: .*ECONNREFUSED/,
    env: () => ({ Service_Port: '1' }),
  },
  {
    kind: 'public-url-unreachable',
    code: FAILURE,
    says: /https:\/\/localhost:1 cannot be reached from here: .*ECONNREFUSED/,
    env: () => ({ Service_AppOptions__PublicUrl: 'https://localhost:1' }),
  },
  {
    kind: 'public-url-elsewhere',
    code: FAILURE,
    says: /answers 200, and not as this service does/,
    ...proxyFaults(() => ({ page: 'Sign in to the intranet' })),
  },
  {
    kind: 'certificate-expired',
    code: FAILURE,
    says: /The certificate of localhost:\d+ ended on \d{4}-\d\d-\d\d/,
    ...proxyFaults(({ authority }) => ({ certificate: authority.issue('localhost', -1) })),
  },
  {
    kind: 'certificate-expires',
    code: WARNING,
    says: /ends on .*, in 5 days/,
    ...proxyFaults(({ authority }) => ({ certificate: authority.issue('localhost', 5.5) })),
  },
  {
    kind: 'certificate-untrusted',
    code: FAILURE,
    says: /is not trusted: it is for another name/,
    ...proxyFaults(({ authority }) => ({ certificate: authority.issue('devices.example.org') })),
  },
  {
    kind: 'certificate-untrusted',
    code: FAILURE,
    says: /is not trusted: its authority is not known here/,
    ...proxyFaults(() => ({ certificate: new Authority('Another authority').issue('localhost') })),
  },
  { kind: 'proxy-without-service', code: FAILURE, says: /answers 502/, ...proxyFaults(() => ({ target: 1 })) },
  { kind: 'forwarded-for-missing', code: FAILURE, says: /have no X-Forwarded-For/, ...proxyFaults(() => ({ forwardedFor: 'missing' })) },
  {
    kind: 'forwarded-for-forged',
    code: FAILURE,
    says: /passes on the X-Forwarded-For/,
    ...proxyFaults(() => ({ forwardedFor: 'passed' })),
  },
  {
    kind: 'forwarded-address-wrong',
    code: WARNING,
    says: /The proxy sends X-Forwarded-Proto: http, and the public address begins with https/,
    ...proxyFaults(() => ({ forwardedProto: 'http' })),
  },
  {
    kind: 'websocket-refused',
    code: FAILURE,
    says: /A WebSocket to https:\/\/localhost:\d+ was not possible: it was answered 426/,
    ...proxyFaults(() => ({ dropsUpgrades: true })),
  },
  {
    kind: 'silence-cut',
    code: WARNING,
    says: /A WebSocket that was silent for 1 s was lost: it was cut after \d s/,
    ...proxyFaults(() => ({ cutsSilenceAfterMs: 300 })),
  },
  {
    kind: 'body-limited',
    code: FAILURE,
    says: /A body of 2\.0 MiB did not reach the service: it was answered 413/,
    ...proxyFaults(() => ({ announcedLimit: 1024 * 1024 })),
  },
  {
    kind: 'body-limited',
    code: FAILURE,
    says: /A body of 100\.0 MiB did not reach the service: it was answered 413/,
    ...proxyFaults(() => ({ announcedLimit: 10 * 1024 * 1024 })),
  },
  {
    kind: 'body-limited',
    code: FAILURE,
    says: /A body of 2\.0 MiB did not reach the service/,
    ...proxyFaults(() => ({ forwardedLimit: 1024 * 1024 })),
  },
  {
    kind: 'uploads-buffered',
    code: WARNING,
    says: /The beginning of a body of 100\.0 MiB did not reach the service/,
    ...proxyFaults(() => ({ buffersBodies: true })),
  },
  {
    kind: 'mail-unreachable',
    code: FAILURE,
    says: /The mail server 127\.0\.0\.1:1 cannot be used: .*ECONNREFUSED/,
    env: () => ({ Service_AppOptions__SmtpPort: '1' }),
  },
  {
    kind: 'mail-encryption',
    code: FAILURE,
    says: /The mail server 127\.0\.0\.1:\d+ cannot be used: .*certificate/,
    env: () => ({ Service_AppOptions__SmtpPort: String(untrusted?.port) }),
    // It offers STARTTLS with a certificate that it has issued itself.
    plant: async () => (untrusted = await MailServer.start({ disabledCommands: [] })),
    mend: async () => untrusted?.stop(),
  },
  {
    kind: 'mail-sign-in',
    code: FAILURE,
    says: /cannot be used: .*Invalid login/,
    plant: () => setMailHandlers({ onAuth: (_auth, _session, done) => done(Object.assign(new Error('Wrong'), { responseCode: 535 })) }),
    mend: () => setMailHandlers({}),
  },
  {
    kind: 'mail-incomplete',
    code: FAILURE,
    says: /These options of mail are missing: AppOptions:SmtpEmail/,
    env: () => ({ Service_AppOptions__SmtpEmail: '' }),
  },
  {
    kind: 'mail-account-incomplete',
    code: WARNING,
    says: /because AppOptions:SmtpPassword is missing/,
    env: () => ({ Service_AppOptions__SmtpPassword: '' }),
  },
  {
    kind: 'agents-missing',
    code: WARNING,
    says: /no agent for any platform/,
    plant: () => rm(sound.agentFile('device-agent.tar.gz')),
    mend: () => writeFile(sound.agentFile('device-agent.tar.gz'), gzipSync('an agent')),
  },
  {
    kind: 'agent-without-version',
    code: FAILURE,
    says: /The agent for linux-x64 has no version/,
    plant: () => writeFile(sound.agentFile('device-agent.version'), 'new'),
    mend: () => writeFile(sound.agentFile('device-agent.version'), '0.1.0.0'),
  },
  {
    kind: 'agent-damaged',
    code: FAILURE,
    says: /The agent for linux-x64 cannot be unpacked: unexpected end of file/,
    plant: () => writeFile(sound.agentFile('device-agent.tar.gz'), gzipSync('an agent').subarray(0, 20)),
    mend: () => writeFile(sound.agentFile('device-agent.tar.gz'), gzipSync('an agent')),
  },
  {
    kind: 'agent-key-differs',
    code: FAILURE,
    says: /agent-bundle-key\.pem holds another key for agent updates than the database/,
    plant: () => writeFile(join(sound.dataPath, 'agent-bundle-key.pem'), anotherKey(), { mode: 0o600 }),
    mend: () => rm(join(sound.dataPath, 'agent-bundle-key.pem')),
  },
  {
    kind: 'agent-signature',
    code: FAILURE,
    says: /it is signed with another key than that of the database/,
    plant: () =>
      sound.superuser(`UPDATE server_secrets SET value = sha256(value), source = encode(value, 'hex') WHERE name = 'AgentBundles'`),
    mend: () => sound.superuser(`UPDATE server_secrets SET value = decode(source, 'hex'), source = NULL WHERE name = 'AgentBundles'`),
  },
  {
    kind: 'devices-without-key',
    code: WARNING,
    says: /1 device has no key/,
    plant: () => sound.superuser('INSERT INTO devices (id, tenant_id) SELECT gen_random_uuid(), id FROM tenants LIMIT 1'),
    mend: () => sound.superuser('DELETE FROM devices'),
  },
  {
    kind: 'provider-unreachable',
    code: FAILURE,
    says: /Contoso cannot be used at http:\/\/localhost:65535: .*ECONNREFUSED/,
    env: () => ({ Service_OpenIdConnect__0__Issuer: 'http://localhost:65535' }),
  },
  {
    kind: 'provider-issuer',
    code: FAILURE,
    says: /Contoso names another issuer than http:\/\/127\.0\.0\.1/,
    env: () => ({ Service_OpenIdConnect__0__Issuer: sound.surroundings.provider.issuer.replace('localhost', '127.0.0.1') }),
  },
  {
    kind: 'provider-certificate',
    code: FAILURE,
    says: /The certificate of Contoso is not trusted: .*altname/,
    env: () => ({ Service_OpenIdConnect__0__Issuer: sound.surroundings.proxy.url.replace('localhost', '127.0.0.1') }),
  },
  {
    kind: 'forwarding-unreachable',
    code: FAILURE,
    says: /Logs cannot be forwarded to localhost:1: .*ECONNREFUSED/,
    env: () => ({ Service_Forwarding__SyslogUrl: 'tls://localhost:1' }),
  },
  {
    kind: 'forwarding-unreachable',
    code: FAILURE,
    says: /Logs cannot be forwarded to 127\.0\.0\.1:\d+: .*altname/,
    env: () => ({ Service_Forwarding__HttpUrl: sound.surroundings.proxy.url.replace('localhost', '127.0.0.1') }),
  },
  {
    kind: 'forwarding-unreachable',
    code: FAILURE,
    says: /Logs cannot be forwarded to localhost:\d+: .*(certificate required|ECONNRESET)/,
    plant: async () =>
      (guarded = await SyslogReceiver.overTls(sound.surroundings.authority.issue('localhost'), sound.surroundings.authority.cert)),
    env: () => ({ Service_Forwarding__SyslogUrl: guarded?.url ?? '' }),
    mend: async () => guarded?.stop(),
  },
  {
    kind: 'forwarding-certificate',
    code: WARNING,
    says: /The certificate that the service shows to localhost:\d+ ends on \d{4}-\d\d-\d\d, in 5 days\./,
    plant: async () => {
      const { authority } = sound.surroundings;
      guarded = await SyslogReceiver.overTls(authority.issue('localhost'), authority.cert);
      const { cert, key } = authority.issue('device-management', 5.5);
      await writeFile(join(sound.machine.folder, 'own.crt'), cert);
      await writeFile(join(sound.machine.folder, 'own.key'), key);
    },
    env: () => ({
      Service_Forwarding__SyslogUrl: guarded?.url ?? '',
      Service_Forwarding__SyslogCertificateFile: join(sound.machine.folder, 'own.crt'),
      Service_Forwarding__SyslogKeyFile: join(sound.machine.folder, 'own.key'),
    }),
    mend: async () => guarded?.stop(),
  },
  {
    kind: 'forwarding-late',
    code: WARNING,
    says: /2 rows of ChangeLog wait for the destination Http, the oldest for 5\d minutes\. The last attempt failed: ECONNRESET/,
    plant: () =>
      sound.superuser(`
        INSERT INTO forwarding_cursors (destination, log, number, failure) VALUES ('Http', 'ChangeLog', 0, 'ECONNRESET');
        INSERT INTO forwarding_heads (log, last_number) VALUES ('ChangeLog', 2);
        INSERT INTO forwarding_entries (id, log, number, written_at, data)
          SELECT gen_random_uuid(), 'ChangeLog', n, now() - interval '50 minutes', '{}' FROM generate_series(1, 2) n`),
    mend: () => sound.superuser('DELETE FROM forwarding_cursors; DELETE FROM forwarding_heads; DELETE FROM forwarding_entries'),
  },
];

/** Plants faults of the proxy. */
function proxyFaults(faults: (surroundings: Installation['surroundings']) => ProxyFaults): Pick<Planted, 'plant' | 'mend'> {
  const set = (wanted: ProxyFaults): Promise<void> => {
    sound.surroundings.proxy.faults = wanted;
    return Promise.resolve();
  };
  return { plant: () => set(faults(sound.surroundings)), mend: () => set({}) };
}

function setMailHandlers(handlers: MailHandlers): Promise<void> {
  sound.surroundings.mail.handlers = handlers;
  return Promise.resolve();
}

const anotherKey = (): string => generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

describe('the doctor', () => {
  it('finds nothing on a sound installation', async () => {
    const { code, report } = await sound.report();
    expect(report.findings.filter(({ kind }) => kind !== null)).toEqual([]);
    expect({ code, severity: report.severity }).toEqual({ code: 0, severity: Severity.Ok });
  });

  it.each(FAULTS)('finds $kind, and nothing else', async ({ kind, code, says, env, plant, mend }) => {
    await plant?.();
    try {
      const examined = await sound.report(env?.());
      const faults = examined.report.findings.filter((finding) => finding.kind !== null);
      expect(faults).toMatchObject([{ kind, what: expect.stringMatching(says) as string, docs: expect.stringContaining(kind) as string }]);
      expect(examined.code).toBe(code);
    } finally {
      await mend?.();
    }
  });

  it('finds no fault in a service that has just started and makes its first backup later', async () => {
    const { report } = await sound.report({ Service_Backup__Folder: join(sound.machine.folder, 'nowhere') });
    expect(report.findings.filter(({ kind }) => kind !== null)).toEqual([]);
    expect(report.findings.map(({ what }) => what)).toContainEqual(
      expect.stringMatching(/There is no backup in .*nowhere yet: the first one begins at /),
    );
  });

  it('finds disk-full, and nothing else', async (context) => {
    await withSmallDisk(sound.machine.folder, 8, context, async (small) => {
      // The same data folder on a disk that is almost full.
      for (const name of await readdir(sound.dataPath)) await symlink(join(sound.dataPath, name), join(small, name));
      const { code, report } = await sound.report({ Service_DataPath: small });
      const faults = report.findings.filter(({ kind }) => kind !== null);
      expect(faults).toMatchObject([
        { kind: 'disk-full', what: expect.stringMatching(/^The disk of .*small has [78]\.\d MiB left\.$/) as string },
      ]);
      expect(code).toBe(FAILURE);
    });
  });

  it('says in a terminal what is wrong, why it matters and what to do', async () => {
    const { code, output } = await sound.doctor(['--silence', '0'], { Service_AppOptions__EnableNetworkTrust: 'true' });
    expect(code).toBe(WARNING);
    expect(output).toMatch(/ok +PostgreSQL 18/);
    expect(output).toMatch(
      /WARNING +AppOptions:EnableNetworkTrust is on\.\n +Every client can name any address.*\n +Turn .*\n +See docs\/operations\.md#/,
    );
    expect(output).toContain('0 failures, 1 warning. (release');
  });

  it('explains a wrong command line', async () => {
    for (const args of [['--fast'], ['--silence', 'long'], ['--silence', '121']]) {
      const { code, complaints } = await sound.doctor(args);
      expect([code, complaints]).toEqual([3, expect.stringContaining('Usage: npm run doctor')]);
    }
  });

  it('creates nothing where the service has never run', async () => {
    const path = join(sound.machine.folder, 'nowhere');
    const { code, report } = await sound.report({ Service_DataPath: path });
    expect(code).toBe(FAILURE);
    expect(report.findings.flatMap(({ kind }) => kind ?? [])).toEqual([
      'database-empty',
      'data-folder-missing',
      'backup-missing',
      'agents-missing',
    ]);
    // The path is still free.
    await writeFile(path, '', { flag: 'wx' });
  });
});
