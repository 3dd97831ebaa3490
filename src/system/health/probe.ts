import { setTimeout as delay } from 'node:timers/promises';

import { loadSettings } from '../../platform/config/load-settings.js';
import { hostInUrl } from '../../platform/config/url-text.js';

/*
 * A program for health checks of containers and supervisors. It reads the configuration of the service and asks the
 * service on this machine whether it works. Exit code 0: it does. Exit code 1: it does not; standard error gives the
 * reason. With --ready it waits until the service should get requests, as long as the process that MAINPID names runs.
 */

const DEADLINE_MS = 6_000;
/** Time between two questions while a start is waited for. */
const INTERVAL_MS = 200;

async function complaint(path: string): Promise<string | null> {
  const { settings } = loadSettings({ env: process.env, cwd: process.cwd() });
  const host = settings.bindAddress === '' ? '127.0.0.1' : settings.bindAddress;
  const url = `http://${hostInUrl(host)}:${settings.port}${path}`;
  const response = await fetch(url, { signal: AbortSignal.timeout(DEADLINE_MS) });
  return response.ok ? null : `${url} answered ${response.status}: ${await response.text()}`;
}

/** Waits for the end of a start: it may be long, because it upgrades the database. */
async function complaintAtStart(processId: number): Promise<string | null> {
  for (;;) {
    const problem = await complaint('/health/ready').catch(messageOf);
    if (problem === null || !isRunning(processId)) return problem;
    await delay(INTERVAL_MS);
  }
}

function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch {
    return false;
  }
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

function problemAtStart(): Promise<string | null> {
  const processId = Number(process.env.MAINPID);
  if (!Number.isInteger(processId) || processId < 1) throw new Error('--ready needs the process id of the service in MAINPID.');
  return complaintAtStart(processId);
}

const problem = await (process.argv.includes('--ready') ? problemAtStart() : complaint('/health')).catch(messageOf);
if (problem !== null) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}
