import { generateKeyPairSync } from 'node:crypto';
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { Authority } from '../../../../test/support/stand-ins/certificates.js';
import { compareSettings } from '../live-settings.js';
import { ConfigurationError, type LoadedSettings, loadSettings } from '../load-settings.js';
import { redacted } from '../redacted.js';

const authority = new Authority();
const own = authority.issue('device-management');
const renewed = authority.issue('device-management');
const weak = authority.issue('device-management', 365, generateKeyPairSync('rsa', { modulusLength: 512 }));
const { privateKey } = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'hunter2' },
});
/** The lines of a key that nobody may read. */
const secretLine = own.key.split('\n')[1];
const receivers = { Service_Forwarding__SyslogUrl: 'tls://logs.example:6514', Service_Forwarding__HttpUrl: 'https://logs.example/' };
let cwd: string;

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'pem-files-'));
  const files: Readonly<Record<string, string>> = {
    'ca.pem': `${authority.cert}${new Authority('Another authority').cert}`,
    'own.crt': `${own.cert}${authority.cert}`,
    'own.key': own.key,
    'both.pem': `${own.key}${own.cert}`,
    'renewed.key': renewed.key,
    'weak.crt': weak.cert,
    'weak.key': weak.key,
    'locked.key': privateKey,
    'damaged.crt': own.cert.replace('MII', 'AAA'),
    'long.crt': '',
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text);
  await truncate(join(cwd, 'long.crt'), 1_048_577);
  await mkdir(join(cwd, 'folder'));
});

afterAll(() => rm(cwd, { recursive: true }));

/** Variables of files, such as `SyslogKeyFile`. */
const variables = (files: Readonly<Record<string, string>>): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(files).map(([name, file]) => [`Service_Forwarding__${name}`, file]));
const load = (files: Readonly<Record<string, string>>, env: NodeJS.ProcessEnv = receivers): LoadedSettings =>
  loadSettings({ env: { ...env, ...variables(files) }, cwd });

function problemsOf(env: NodeJS.ProcessEnv): readonly string[] {
  try {
    loadSettings({ env, cwd });
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  return [];
}

describe('the files of certificates and keys', () => {
  it('are read from paths that may be relative, each receiver its own', () => {
    const { settings, warnings } = load({
      SyslogCaFile: 'ca.pem',
      SyslogCertificateFile: join(cwd, 'own.crt'),
      SyslogKeyFile: './own.key',
      HttpCertificateFile: 'both.pem',
      HttpKeyFile: 'both.pem',
    });
    expect(settings.forwarding).toMatchObject({
      syslogCaFile: { path: join(cwd, 'ca.pem'), pem: expect.stringContaining(authority.cert) as string },
      syslogCertificateFile: { path: join(cwd, 'own.crt'), pem: `${own.cert}${authority.cert}` },
      syslogKeyFile: { path: join(cwd, 'own.key'), pem: own.key },
      httpCaFile: { path: '', pem: '' },
      httpCertificateFile: { path: join(cwd, 'both.pem') },
    });
    expect(warnings).toEqual([]);
    expect(JSON.stringify(redacted(settings))).not.toContain(secretLine);
  });

  it.each([
    [{ SyslogCaFile: 'missing.pem' }, ['SyslogCaFile: expected a file that exists.']],
    [{ SyslogCaFile: 'own.crt/missing.pem' }, ['SyslogCaFile: expected a file that exists.']],
    [{ SyslogCaFile: 'folder' }, ['SyslogCaFile: expected a file that can be read.']],
    [{ SyslogCaFile: '/dev/zero' }, ['SyslogCaFile: expected a file that can be read.']],
    [{ HttpCaFile: 'long.crt' }, ['HttpCaFile: expected a file of at most 1048576 bytes.']],
    [{ HttpCaFile: 'own.key' }, ['HttpCaFile: expected a file with certificates (PEM).']],
    [{ HttpCaFile: 'damaged.crt' }, ['HttpCaFile: expected a file with certificates (PEM).']],
    [{ HttpKeyFile: 'own.key' }, ['HttpCertificateFile and Service_Forwarding__HttpKeyFile: are set together.']],
    [{ SyslogCertificateFile: 'own.crt' }, ['SyslogCertificateFile and Service_Forwarding__SyslogKeyFile: are set together.']],
    [
      { SyslogCertificateFile: 'own.crt', HttpKeyFile: 'own.key' },
      [
        'SyslogCertificateFile and Service_Forwarding__SyslogKeyFile: are set together.',
        'HttpCertificateFile and Service_Forwarding__HttpKeyFile: are set together.',
      ],
    ],
    [{ HttpCertificateFile: 'own.key', HttpKeyFile: 'own.key' }, ['HttpCertificateFile: expected a file with certificates (PEM).']],
    [
      { HttpCertificateFile: 'own.crt', HttpKeyFile: 'own.crt' },
      ['HttpKeyFile: expected a file with a private key (PEM) that has no passphrase.'],
    ],
    [
      { HttpCertificateFile: 'own.crt', HttpKeyFile: 'locked.key' },
      ['HttpKeyFile: expected a file with a private key (PEM) that has no passphrase.'],
    ],
    [
      { HttpCertificateFile: 'own.crt', HttpKeyFile: 'renewed.key' },
      ['HttpKeyFile: expected the private key of the first certificate in Service_Forwarding__HttpCertificateFile.'],
    ],
    [
      { HttpCertificateFile: 'weak.crt', HttpKeyFile: 'weak.key' },
      ['HttpCertificateFile: expected a certificate that TLS takes, and it is refused: ee key too small.'],
    ],
  ])('are refused by the names of their options: %j', (files, problems) => {
    expect(problemsOf({ ...receivers, ...variables(files) })).toEqual(problems.map((problem) => `Service_Forwarding__${problem}`));
  });

  it('may hold no path but the key itself, by mistake, which is not shown', () => {
    const problems = problemsOf({ ...receivers, ...variables({ SyslogCertificateFile: 'own.crt', SyslogKeyFile: own.key }) });
    expect(problems).toEqual(['Service_Forwarding__SyslogKeyFile: expected a file that exists.']);
  });

  it.each([
    [{ SyslogCaFile: 'ca.pem' }, { Service_Forwarding__SyslogUrl: 'tcp://logs.example:601' }, 'Forwarding:SyslogCaFile'],
    [{ SyslogCertificateFile: 'own.crt', SyslogKeyFile: 'own.key' }, {}, 'Forwarding:SyslogCertificateFile'],
    [
      { HttpCertificateFile: 'own.crt', HttpKeyFile: 'own.key' },
      { Service_Forwarding__HttpUrl: 'http://localhost/' },
      'Forwarding:HttpCertificateFile',
    ],
  ])('are warned of without a receiver over TLS: %j with %j', (files, env, option) => {
    const url = option.includes('Syslog') ? 'tls:// in Forwarding:SyslogUrl' : 'https:// in Forwarding:HttpUrl';
    expect(load(files, env).warnings).toEqual([`${option} has no effect without ${url}.`]);
  });

  it('count as changed when they were written again, and the log says no more of them', async () => {
    const files = { HttpCertificateFile: 'renewable.crt', HttpKeyFile: 'renewable.key' };
    const write = (identity: typeof own): Promise<unknown> =>
      Promise.all([writeFile(join(cwd, 'renewable.crt'), identity.cert), writeFile(join(cwd, 'renewable.key'), identity.key)]);
    await write(own);
    const before = load(files).settings;
    await write(renewed);
    const { settings, changes, restarts } = compareSettings(before, load(files).settings);
    expect(settings.forwarding.httpKeyFile.pem).toBe(renewed.key);
    expect(changes).toEqual(['Forwarding:HttpCertificateFile (new content)', 'Forwarding:HttpKeyFile (new content)']);
    expect(restarts).toEqual([]);
    const none = compareSettings(before, load({}).settings);
    expect(none.changes).toEqual([
      `Forwarding:HttpCertificateFile: ${join(cwd, 'renewable.crt')} → (empty)`,
      `Forwarding:HttpKeyFile: ${join(cwd, 'renewable.key')} → (empty)`,
    ]);
  });

  it('of the authorities of NATS are checked in the same way', () => {
    const nodes = {
      Service_ConnectionStrings__Default: 'Host=db;Username=app;Password=secret;Database=app',
      Service_Nodes__Nats: 'tls://localhost:4222',
      Service_Nodes__NatsUser: 'nodes',
      Service_Nodes__NatsPassword: 'secret',
      Service_Nodes__Secret: 'a-secret-of-the-nodes-of-32-characters',
    };
    const withFile = (file: string): NodeJS.ProcessEnv => ({ ...nodes, Service_Nodes__NatsCaFile: file });
    expect(loadSettings({ env: withFile('ca.pem'), cwd }).settings.nodes.natsCaFile.pem).toContain(authority.cert);
    expect(['missing.pem', 'own.key', 'folder'].map((file) => problemsOf(withFile(file)))).toEqual([
      ['Service_Nodes__NatsCaFile: expected a file that exists.'],
      ['Service_Nodes__NatsCaFile: expected a file with certificates (PEM).'],
      ['Service_Nodes__NatsCaFile: expected a file that can be read.'],
    ]);
  });
});
