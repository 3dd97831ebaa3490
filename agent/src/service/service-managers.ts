import { existsSync } from 'node:fs';
import { LAUNCHD } from './launchd.js';
import { OPENRC } from './openrc.js';
import { RUNIT } from './runit.js';
import type { Machine, ServiceManager } from './service-manager.js';
import { SYSTEMD } from './systemd.js';

const MANAGERS: readonly ServiceManager[] = [SYSTEMD, OPENRC, RUNIT, LAUNCHD];

export function serviceName(instance: string | undefined): string {
  return instance === undefined ? 'device-agent' : `device-agent-${instance}`;
}

/** Returns true for names of services of agents. */
export const isServiceName = (name: string): boolean => /^device-agent(-[\w-]+)?$/.test(name);

/** The manager that this account may use on a machine. Undefined where there is none, and for accounts other than root. */
export function managerOf(machine: Machine): ServiceManager | undefined {
  return machine.isRoot ? MANAGERS.find((manager) => manager.manages(machine)) : undefined;
}

/** The paths of the files of a service. */
export function pathsOf(manager: ServiceManager, service: string): string[] {
  return manager.files({ name: service, command: [], dataDirectory: '' }).map(({ path }) => path);
}

export function thisMachine(): Machine {
  return { platform: process.platform, isRoot: process.getuid?.() === 0, exists: existsSync };
}
