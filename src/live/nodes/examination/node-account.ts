import { createHmac } from 'node:crypto';

import type { FileDigests } from '../../../devices/agent-updates/file-digests.js';
import { ownBundlePaths } from '../../../devices/agent-updates/own-bundles.js';
import { OWN_PLATFORMS } from '../../../devices/agent-updates/own-platforms.js';
import { publishedPaths, RUNTIMES } from '../../../devices/agent-updates/published-paths.js';
import { type Option, OPTIONS } from '../../../platform/config/options.js';
import type { Settings } from '../../../platform/config/settings.js';

/** Groups of options that are the same on all nodes. The others are about one machine: its folders, addresses, logs and nightly backups. */
const SHARED_GROUPS = ['appOptions', 'events', 'webhooks', 'serverLifecycle', 'telemetryDashboard'] as const;
/** Options of these groups that each node may have for itself. */
const OF_ONE_NODE: ReadonlySet<string> = new Set([OPTIONS.appOptions.uploadSpoolReserve.key, OPTIONS.appOptions.enableDockerSecrets.key]);
const PROVIDERS = 'OpenIdConnect';
/** Characters of a digest: enough to tell values apart. */
const DIGEST_LENGTH = 16;

/**
 * A digest of the value of each option that should be the same on all nodes, by its key. A secret of the server goes into it, so that nobody
 * can guess short values.
 */
export function optionDigests(settings: Settings, secret: Buffer): Record<string, string> {
  const digests: Record<string, string> = {};
  const note = (key: string, value: unknown): void => {
    const text = JSON.stringify([key, value]);
    digests[key] = createHmac('sha256', secret).update(`option ${text}`).digest('base64url').slice(0, DIGEST_LENGTH);
  };
  for (const group of SHARED_GROUPS) {
    const values = new Map(Object.entries<unknown>(settings[group]));
    for (const [name, { key }] of Object.entries<Option<unknown>>(OPTIONS[group])) if (!OF_ONE_NODE.has(key)) note(key, values.get(name));
  }
  note(PROVIDERS, settings.openIdConnect);
  return digests;
}

/** The digest of each file that agents are installed from, by its path. */
export async function fileDigests(digests: FileDigests): Promise<Record<string, string>> {
  const own = OWN_PLATFORMS.map(({ platform }) => ownBundlePaths(platform).file);
  const published = RUNTIMES.flatMap((runtime) => Object.values(publishedPaths(runtime)));
  const found: Record<string, string> = {};
  for (const path of [...own, ...published]) {
    const digest = await digests.sha256(path);
    if (digest !== null) found[path] = digest.slice(0, DIGEST_LENGTH);
  }
  return found;
}
