import { loadSettings } from '../../platform/config/load-settings.js';
import { hostInUrl } from '../../platform/config/url-text.js';

/*
 * A program for health checks of containers and supervisors. It reads the configuration of the service and asks the
 * service on this machine whether it works. Exit code 0: it does. Exit code 1: it does not; standard error gives the
 * reason.
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
