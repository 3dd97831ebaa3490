import { offerBuild } from './build-broker.js';
import { offerCluster } from './cluster-broker.js';
import { offerDatabase } from './database-broker.js';

/** Nothing is started here: the first spec that asks starts PostgreSQL or the build, the others do not wait for it. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const stopBrokers = [await offerDatabase(), await offerBuild(), await offerCluster()];
  return async () => {
    for (const stop of stopBrokers) await stop();
  };
}
