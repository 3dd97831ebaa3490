import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { AGENT_PACKAGES, agentPackages } from './packages.js';
import { PLATFORMS } from './platforms.js';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

async function importedIn(folder: string): Promise<string[]> {
  const paths = (await readdir(join(PROJECT, folder), { recursive: true })).filter((path) => /(?<!\.spec)\.ts$/.test(path));
  const texts = await Promise.all(paths.map((path) => readFile(join(PROJECT, folder, path), 'utf8')));
  return texts
    .flatMap((text) => [...text.matchAll(/(?:\bfrom|\bimport\(?)\s*'([^'.#][^']*)'/g)].map(([, name]) => name))
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
    const folders = ['agent/src', 'libs/contracts/src', 'libs/signalr/src/wire'];
    const imported = (await Promise.all(folders.map(importedIn))).flat();
    expect([...new Set(imported)].sort()).toEqual([...AGENT_PACKAGES].sort());
  });

  it.each(PLATFORMS)('have the terminal of $runtime and of no other platform', async (platform) => {
    const paths = (await agentPackages(PROJECT, platform)).map(({ path }) => path);
    expect(paths.filter((path) => path.includes('node-pty-'))).toEqual([`node_modules/@lydell/node-pty-${platform.os}-${platform.cpu}`]);
  });

  it('have nested packages where npm nests them', async () => {
    const [platform] = PLATFORMS;
    const paths = (await agentPackages(PROJECT, platform)).map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining(['node_modules/ws', 'node_modules/@microsoft/signalr/node_modules/ws', 'node_modules/tr46']),
    );
  });
});
