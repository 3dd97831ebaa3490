import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import type { Fleet } from './database.js';
import type { Service } from './service.js';

/** The options of Node.js in the launcher of the agent. */
const NODE_OPTIONS = ['--max-semi-space-size=2'];
const AGENT_MAIN = fileURLToPath(new URL('../../agent/src/main.js', import.meta.url));
const ONLINE_DEADLINE_MS = 30_000;
const POLL_MS = 50;

/** The reference agent of a device as a process. It never outlives this one. */
export class ReferenceAgent {
  private constructor(private readonly child: ChildProcess) {}

  /** Starts the agent of a device that the service knows, and waits until the device is online. */
  static async start(service: Service, fleet: Fleet, deviceId: string, dataDirectory: string): Promise<ReferenceAgent> {
    const where = ['--data-dir', dataDirectory];
    const install = ['install', '--server', service.url, '--tenant', fleet.tenantId, '--device-id', deviceId, '--no-service', ...where];
    const [code] = await once(run(install), 'exit');
    if (code !== 0) throw new Error(`The agent could not be installed (${code}).`);
    const child = run(['run', ...where]);
    process.once('exit', () => child.kill('SIGKILL'));
    const agent = new ReferenceAgent(child);
    const deadline = performance.now() + ONLINE_DEADLINE_MS;
    while (!(await isOnline(service, fleet, deviceId))) {
      if (performance.now() > deadline) {
        await agent.stop();
        throw new Error('The agent did not come online.');
      }
      await delay(POLL_MS);
    }
    return agent;
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error('The agent did not start.');
    return this.child.pid;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await ended;
  }
}

function run(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [...NODE_OPTIONS, AGENT_MAIN, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
}

async function isOnline(service: Service, fleet: Fleet, deviceId: string): Promise<boolean> {
  const response = await fetch(new URL(`/api/v1/devices/${deviceId}`, service.url), { headers: { 'x-api-key': fleet.apiKey } });
  if (!response.ok) throw new Error(`The service answered ${response.status} for the device.`);
  const device: unknown = await response.json();
  return typeof device === 'object' && device !== null && 'isOnline' in device && device.isOnline === true;
}
