import { offerBuild } from './build-broker.mjs';
import { offerDatabase } from './database-broker.mjs';

/** Nothing is started here: the first spec that asks starts PostgreSQL or the build, the others do not wait for it. */
export default async function globalSetup() {
  globalThis.stopBrokers = [await offerDatabase(), await offerBuild()];
}
