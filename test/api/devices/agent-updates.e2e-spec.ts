import { createHash, createPublicKey, verify } from 'node:crypto';
import { mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { signedBundleText, type AgentBundle } from '#libs/contracts';

import { AuthorizationService } from '../../../src/access/authorization/evaluation/authorization.service.js';
import { Permission } from '../../../src/access/authorization/permissions/permission.js';
import { accountWith } from '../../support/callers/callers.js';
import { at } from '../../support/fixtures/factories.js';
import { testServer, testTenant } from '../../support/setup/test-server.js';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('bundle metadata', () => {
  const server = testServer({ Service_AgentBundle__BrandName: 'Fleet' });
  const downloads = (path: string): string => join(server.dataPath, 'downloads', path);
  const metadata = (runtime: string) => server.client({}).get(`/api/agent/updates/get-bundle-metadata/${runtime}`);

  beforeAll(async () => {
    server.clock.stop();
    for (const runtime of ['linux-x64', 'win-x64', 'osx-x64']) await mkdir(downloads(runtime), { recursive: true });
    await writeFile(downloads('linux-x64/ControlR.Agent.bundle.zip'), 'bundle');
    await writeFile(downloads('linux-x64/ControlR.Agent.Installer'), 'installer');
    await writeFile(downloads('win-x64/ControlR.Agent.bundle.zip'), 'bundle');
    await writeFile(downloads('win-x64/ControlR.Agent.Installer'), 'not the name on Windows');
    await writeFile(downloads('osx-x64/ControlR.Agent.Installer'), 'installer');
  });

  it('answers 500 while the version is unknown, and 404 where a file is missing', async () => {
    expect((await metadata('linux-x64')).status).toBe(500);
    expect((await metadata('osx-arm64')).status).toBe(404);
    expect((await metadata('osx-x64')).body).toMatchObject({ detail: expect.stringContaining('osx-x64/ControlR.Agent.bundle.zip') });
    expect((await metadata('win-x64')).body).toMatchObject({ detail: expect.stringContaining('ControlR.Agent.Installer.exe') });
  });

  it('describes what is published to every spelling of the platform, at both paths', async () => {
    await writeFile(downloads('Version.txt'), '1.2.3.4');
    server.clock.advance(60_000);
    const expected = {
      brandName: 'Fleet',
      bundleDownloadUrl: '/downloads/linux-x64/ControlR.Agent.bundle.zip',
      bundleSha256: sha256('bundle').toUpperCase(),
      installerDownloadUrl: '/downloads/linux-x64/ControlR.Agent.Installer',
      installerSha256: sha256('installer').toUpperCase(),
      publisher: 'Bitbound',
      runtime: 'linux-x64',
      version: '1.2.3.4',
    };
    for (const name of ['LinuxX64', 'linuxx64', 'linux-x64', 'LINUX-X64']) {
      const answer = await metadata(name);
      expect(answer.body).toEqual(expected);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=600');
    }
    expect((await server.client({}).get('/api/agent-update/get-bundle-metadata/LinuxX64')).body).toEqual(expected);
  });

  it('sees a replaced bundle at once, and lets clients keep no failure', async () => {
    await writeFile(downloads('linux-x64/ControlR.Agent.bundle.zip'), 'newer!');
    expect((await metadata('linux-x64')).body).toMatchObject({ bundleSha256: sha256('newer!').toUpperCase() });
    await rm(downloads('linux-x64/ControlR.Agent.bundle.zip'));
    const missing = await metadata('linux-x64');
    expect([missing.status, missing.headers.get('cache-control')]).toEqual([404, 'no-store']);
  });

  it('names the platforms that there are', async () => {
    expect((await metadata('beos')).body).toMatchObject({
      errors: { runtime: ['runtime must be one of win-x86, win-x64, osx-arm64, osx-x64, linux-x64.'] },
    });
  });

  it.each(['beos', '..', '9', '%2e%2e%2fx'])('refuses the platform %j', async (runtime) => {
    expect([400, 404]).toContain((await metadata(runtime)).status);
  });
});

describe('downloads', () => {
  const server = testServer();
  const downloads = (path: string): string => join(server.dataPath, 'downloads', path);
  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> => fetch(`${server.url}${path}`, { headers });

  beforeAll(async () => {
    await mkdir(downloads('linux-x64'), { recursive: true });
    await mkdir(join(server.dataPath, 'agent-bundles', 'linux-x64'), { recursive: true });
    await writeFile(downloads('linux-x64/ControlR.Agent.bundle.zip'), '0123456789');
    await writeFile(join(server.dataPath, 'agent-bundles', 'linux-x64', 'device-agent.tar.gz'), 'own bundle');
    await writeFile(join(server.dataPath, 'agent-bundles', 'linux-x64', 'device-agent.version'), '0.1.0.0\n');
  });

  it('serves published files with ranges and conditions', async () => {
    const whole = await get('/downloads/linux-x64/ControlR.Agent.bundle.zip');
    expect([whole.status, await whole.text()]).toEqual([200, '0123456789']);
    expect(whole.headers.get('cache-control')).toBe('no-cache');
    const etag = whole.headers.get('etag') ?? '';
    expect(etag).not.toBe('');

    const part = await get('/downloads/linux-x64/ControlR.Agent.bundle.zip', { range: 'bytes=2-4' });
    expect([part.status, await part.text()]).toEqual([206, '234']);
    expect(
      (await get('/downloads/linux-x64/ControlR.Agent.bundle.zip', { 'if-none-match': etag, 'cache-control': 'max-age=0' })).status,
    ).toBe(304);
    const beyond = await get('/downloads/linux-x64/ControlR.Agent.bundle.zip', { range: 'bytes=20-' });
    expect(beyond.status).toBe(416);
  });

  it('serves nothing outside of the folder, no hidden files and no folders', async () => {
    await writeFile(join(server.dataPath, 'secret.txt'), 'secret');
    await writeFile(downloads('.hidden'), 'secret');
    for (const path of [
      '..%2fsecret.txt',
      '%2e%2e/secret.txt',
      'linux-x64%2f..%2f..%2fsecret.txt',
      '.hidden',
      'linux-x64',
      'linux-x64/',
      'x%00',
      '..%5csecret.txt',
      'a'.repeat(300),
    ]) {
      const answer = await get(`/downloads/${path}`);
      expect([path, answer.status]).toEqual([path, 404]);
    }
    expect((await get('/downloads/%E0%A4%A')).status).toBe(400);
  });

  it('describes and signs the bundle of its own agent with a key that stays', async () => {
    const answer = await get('/downloads/linux-x64/device-agent.json');
    const bundle = (await answer.json()) as AgentBundle;
    expect(bundle).toMatchObject({ runtime: 'linux-x64', version: '0.1.0.0', size: 10, sha256: sha256('own bundle') });
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(bundle.publicKey, 'base64').toString('base64url') };
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    expect(verify(null, Buffer.from(signedBundleText(bundle)), key, Buffer.from(bundle.signature, 'base64'))).toBe(true);
    expect(await (await get('/downloads/linux-x64/device-agent.json')).json()).toMatchObject({ publicKey: bundle.publicKey });
    expect(await readdir(server.dataPath)).not.toContain('agent-bundle-key.pem');
    expect(await (await get(bundle.downloadUrl)).text()).toBe('own bundle');
    expect((await get('/downloads/osx-arm64/device-agent.json')).status).toBe(404);
  });

  it('prefers what the operator publishes, and describes a replaced bundle at once', async () => {
    await writeFile(downloads('linux-x64/device-agent.tar.gz'), 'another one');
    expect(await (await get('/downloads/linux-x64/device-agent.json')).json()).toMatchObject({ size: 11, sha256: sha256('another one') });
    await rm(downloads('linux-x64/device-agent.tar.gz'));
    await symlink(join(server.dataPath, 'missing'), downloads('linux-x64/device-agent.tar.gz'));
    expect(await (await get('/downloads/linux-x64/device-agent.json')).json()).toMatchObject({ sha256: sha256('own bundle') });
  });
});

describe('the list of agent bundles', () => {
  const server = testServer();
  const tenant = testTenant(server);

  it('answers once when the rights of its caller cannot be read', async () => {
    const client = await accountWith(server, tenant, [Permission.AgentInstall, at.tenant(tenant)]);
    const authorization = server.app.get(AuthorizationService);
    const isAllowed = authorization.isAllowed.bind(authorization);
    authorization.isAllowed = (principal, permission, resource) =>
      permission === Permission.ServerSettingsWrite
        ? Promise.reject(new Error('The database is away.'))
        : isAllowed(principal, permission, resource);
    try {
      // A rejection that nobody awaits would end the process, and fails the run here.
      expect((await client.get('/account/agent-bundles')).status).toBe(500);
    } finally {
      Reflect.deleteProperty(authorization, 'isAllowed');
    }
    expect((await client.get('/account/agent-bundles')).status).toBe(200);
  });
});
