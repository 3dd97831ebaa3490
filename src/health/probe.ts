import { loadSettings } from '../config/load-settings.js';
import { hostInUrl } from '../config/url-text.js';

/*
 * A program for health checks of containers and supervisors: asks the service of this machine, under the service's own
 * configuration, whether it can do its work. Exit code 0: it can; 1: it cannot, and standard error says why.
 */

const DEADLINE_MS = 6_000;

async function complaint(): Promise<string | null> {
  const { settings } = loadSettings({ env: process.env, cwd: process.cwd() });
  const host = settings.bindAddress === '' ? '127.0.0.1' : settings.bindAddress;
  const url = `http://${hostInUrl(host)}:${settings.port}/health`;
  const response = await fetch(url, { signal: AbortSignal.timeout(DEADLINE_MS) });
  return response.ok ? null : `${url} answered ${response.status}: ${await response.text()}`;
}

const problem = await complaint().catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
if (problem !== null) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}
