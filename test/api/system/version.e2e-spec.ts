import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { testServer } from '../../support/setup/test-server.js';

const CACHE_MS = 60_000;

describe('version and public server settings', () => {
  const server = testServer({ Service_AppOptions__EnablePublicRegistration: 'true' });

  beforeAll(() => mkdir(join(server.dataPath, 'downloads')));

  const publish = (name: string, text: string): Promise<void> => writeFile(join(server.dataPath, 'downloads', name), text);
  const get = (route: string) => server.client({}).get(`/api/v1/${route}`);

  it('answers 404 while nothing is published, and does not cache it', async () => {
    for (const route of ['version/agent', 'version/release-notes']) {
      const answer = await get(route);
      expect(answer.status).toBe(404);
      expect(answer.body).toMatchObject({ title: 'Not found.', status: 404 });
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
  });

  it('answers the published agent version as JSON text, and caches it for a minute', async () => {
    server.clock.stop();
    server.clock.advance(CACHE_MS);
    await publish('Version.txt', '1.2.3.4\n');
    const first = await get('version/agent');
    expect(first.status).toBe(200);
    expect(first.headers.get('content-type')).toContain('application/json');
    expect(first.headers.get('cache-control')).toBe('public, max-age=60');
    expect(first.body).toBe('1.2.3.4');

    await publish('Version.txt', '1.2.4.0');
    server.clock.advance(CACHE_MS - 1_000);
    const kept = await get('version/agent');
    expect(kept.body).toBe('1.2.3.4');
    expect(kept.headers.get('age')).toBe('59');
    expect(kept.headers.get('content-type')).toContain('application/json');

    server.clock.advance(CACHE_MS);
    expect((await get('version/agent')).body).toBe('1.2.4.0');
  });

  it('answers a new agent version also after the clock was put back', async () => {
    server.clock.advance(-24 * 60 * 60 * 1_000);
    await publish('Version.txt', '1.2.5.0');
    expect((await get('version/agent')).body).toBe('1.2.5.0');
  });

  it.each(['latest', '1', '1.2.3.4.5', '-1.2', ''])('does not answer %j as a version', async (text) => {
    await publish('Version.txt', text);
    server.clock.advance(CACHE_MS);
    expect((await get('version/agent')).status).toBe(404);
  });

  it('answers the release notes as JSON text', async () => {
    const notes = '# 1.2.3\n\n- "Quoted" — ünïcode';
    await publish('ReleaseNotes.md', notes);
    const answer = await get('version/release-notes');
    expect(answer.status).toBe(200);
    expect(answer.body).toBe(notes);
  });

  it('answers the version of the package', async () => {
    const answer = await get('version/server');
    expect(answer.status).toBe(200);
    expect(JSON.parse(await readFile('package.json', 'utf8'))).toMatchObject({ version: answer.body });
  });

  it('shows visitors the public settings', async () => {
    const answer = await get('public-server-settings');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=60');
    expect(answer.body).toEqual({ isPublicRegistrationEnabled: true, disableDesktopPreview: false });
  });

  it('reads no credential on these routes', async () => {
    const answer = await server.client({ 'x-api-key': 'malformed' }).get('/api/v1/version/server');
    expect(answer.status).toBe(200);
  });
});
