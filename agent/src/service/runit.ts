import type { AgentService, Machine, ServiceManager } from './service-manager.js';
import { quotedForShell } from './shell.js';

/** Folders of the services that run: on Void, on Artix, and on Debian. */
const RUNNING = ['/var/service', '/run/runit/service', '/etc/service'];

/** Command that first waits for the supervisor: it starts within five seconds after the service was linked. Until then commands fail. */
const RESTART = `n=0
until sv status "$1" >/dev/null 2>&1 || [ "$n" -ge 30 ]; do sleep 1; n=$((n + 1)); done
exec sv -w 30 restart "$1"`;
/** Command that stops the service, or does nothing if it has no supervisor. */
const STOP = 'sv status "$1" >/dev/null 2>&1 || exit 0; exec sv -w 30 stop "$1"';

const folderOf = (service: string): string => `/etc/sv/${service}`;

function linkOf(service: string, { exists }: Machine): string {
  return `${RUNNING.find(exists) ?? RUNNING[0]}/${service}`;
}

function runText({ command, dataDirectory }: AgentService): string {
  return `#!/bin/sh
exec 2>&1
umask 0077
exec ${command.map(quotedForShell).join(' ')}${commandEnd(dataDirectory)}`;
}

function commandEnd(dataDirectory: string): string {
  return ` run --data-dir ${quotedForShell(dataDirectory)}\n`;
}

/** As with systemd, an agent that fails is started again after ten seconds. */
const FINISH = `#!/bin/sh
[ "$1" = 0 ] || sleep 10
`;

export const RUNIT: ServiceManager = {
  title: 'runit',
  // It may be installed beside another one.
  manages: ({ platform, exists }) => platform === 'linux' && ['/run/runit', '/run/runit.stopit'].some(exists) && RUNNING.some(exists),
  nameOf: (service) => service,
  files: (service) => [
    { path: `${folderOf(service.name)}/run`, text: runText(service), mode: 0o755 },
    { path: `${folderOf(service.name)}/finish`, text: FINISH, mode: 0o755 },
  ],
  commandEnd,
  ownPaths: (service) => [`${folderOf(service)}/supervise`],
  reload: () => [],
  enable: (service, machine) => [['ln', '-sfn', folderOf(service), linkOf(service, machine)]],
  restart: (service) => [['sh', '-c', RESTART, 'sh', folderOf(service)]],
  stop: (service) => [['sh', '-c', STOP, 'sh', folderOf(service)]],
  // The supervisor of a service that is linked no more ends it.
  disable: (service, machine) => [['rm', '-f', linkOf(service, machine)]],
  release: () => [],
};
