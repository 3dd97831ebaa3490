import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { AGENT_PACKAGES, agentPackages, isPartOfBundle } from './packages.js';
import { PLATFORMS } from './platforms.js';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

async function importedIn(folder: string): Promise<string[]> {
  const paths = (await readdir(join(PROJECT, folder), { recursive: true })).filter((path) => /(?<!\.spec)\.ts$/.test(path));
  const texts = await Promise.all(paths.map((path) => readFile(join(PROJECT, folder, path), 'utf8')));
  return texts
    .flatMap((text) => [...text.matchAll(/(?:\bfrom\s+|\bimport\s*\(?\s*)'([^'.#][^']*)'/g)].map(([, name]) => name))
    .filter((name) => !name.startsWith('node:'))
    .map((name) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    );
}

describe('the packages of a bundle', () => {
  it('are those that the agent and its contracts import', async () => {
    const folders = ['agent/src', 'libs/contracts/src', 'libs/desktop-stream/src', 'libs/signalr/src/wire'];
    const imported = (await Promise.all(folders.map(importedIn))).flat();
    expect([...new Set(imported)].sort()).toEqual([...AGENT_PACKAGES].sort());
  });

  it.each(PLATFORMS)('have the terminal of $runtime and of no other platform', async (platform) => {
    const paths = (await agentPackages(PROJECT, platform)).map(({ path }) => path);
    expect(paths.filter((path) => path.includes('node-pty-'))).toEqual([`node_modules/@lydell/node-pty-${platform.os}-${platform.cpu}`]);
  });

  it.each(PLATFORMS)('have what runs of pictures and X11 on $runtime, and nothing that builds it', async (platform) => {
    const paths = (await agentPackages(PROJECT, platform)).map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['node_modules/@julusian/jpeg-turbo', 'node_modules/pkg-prebuilds', 'node_modules/x11']));
    expect(paths.filter((path) => /cmake|node-gyp|node-addon-api/.test(path))).toEqual([]);
    const kept = async (name: string): Promise<string[]> => {
      const files = await readdir(join(PROJECT, 'node_modules', name), { recursive: true, withFileTypes: true });
      return files
        .filter((file) => file.isFile())
        .map((file) => relative(join(PROJECT, 'node_modules', name), join(file.parentPath, file.name)).replaceAll('\\', '/'))
        .filter((path) => isPartOfBundle(name, path, platform));
    };
    const folders = new Set((await kept('@julusian/jpeg-turbo')).map((path) => path.split('/').slice(0, -1).join('/')));
    expect([...folders].sort()).toEqual(['', `prebuilds/jpeg-turbo-${platform.os}-${platform.cpu}`]);
    expect(await kept('@julusian/jpeg-turbo')).toContain('LICENSE');
    const ofX = await kept('x11');
    expect(ofX).toEqual(expect.arrayContaining(['LICENSE', 'package.json', 'lib/index.js', 'lib/ext/damage.js']));
    expect(ofX.filter((path) => !path.startsWith('lib/')).sort()).toEqual(['LICENSE', 'package.json']);
  });

  it('have nested packages where npm nests them', async () => {
    const [platform] = PLATFORMS;
    const paths = (await agentPackages(PROJECT, platform)).map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining(['node_modules/ws', 'node_modules/@microsoft/signalr/node_modules/ws', 'node_modules/tr46']),
    );
  });
});
