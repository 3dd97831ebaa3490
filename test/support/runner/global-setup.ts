import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { offerBuild } from '../brokers/build-broker.js';
import { offerFrontEnd } from '../brokers/built-front-end.js';
import { offerCluster } from '../brokers/cluster-broker.js';
import { offerComponents } from '../brokers/component-broker.js';
import { offerDatabase } from '../brokers/database-broker.js';
import { keepTemporaryFilesInMemory } from './temporary-files.js';

/** Nothing is started here: the first spec that asks starts PostgreSQL or a build, the others do not wait for it. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  keepTemporaryFilesInMemory();
  const stopBrokers = [
    await offerCompiled(),
    await offerDatabase(),
    await offerBuild(),
    await offerCluster(),
    await offerFrontEnd(),
    await offerComponents(),
  ];
  return async () => {
    for (const stop of stopBrokers) await stop();
  };
}

/**
 * Offers a folder in which programs that run without a build keep what they compiled (typescript-loader.mjs), and Node.js what it made of
 * modules for the next start of the same program. Returns what removes it.
 */
async function offerCompiled(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'test-compiled-'));
  process.env.TEST_COMPILED = folder;
  return () => rm(folder, { recursive: true, force: true });
}
