import type { AgentService, ServiceManager } from './service-manager.js';
import { quotedForShell } from './shell.js';

/** The supervisor ends with the service that has removed itself, else it would try to start it for ever. */
const END_SUPERVISOR = 'if [ -f "$1" ]; then kill -TERM "$(cat "$1")"; fi';

const pidFile = (service: string): string => `/run/${service}.pid`;

/** The text of a script for OpenRC, which keeps the agent running as the systemd unit does. */
function scriptText({ name, command: [program = '', ...args], dataDirectory }: AgentService): string {
  // OpenRC reads both once more as words of a shell.
  return `#!/sbin/openrc-run

description="Device agent"
supervisor=supervise-daemon
command=${quotedForShell(quotedForShell(program))}
command_args=${quotedForShell(args.map(quotedForShell).join(' '))}${commandEnd(dataDirectory)}pidfile=${pidFile(name)}
umask=0077
respawn_delay=10
respawn_max=0
retry="TERM/30/KILL/5"

depend() {
  need localmount
  use net
  after firewall
}
`;
}

/** A shell joins this with the quoted words before it. */
function commandEnd(dataDirectory: string): string {
  return `${quotedForShell(` run --data-dir ${quotedForShell(dataDirectory)}`)}\n`;
}

export const OPENRC: ServiceManager = {
  title: 'OpenRC',
  // It may be installed beside another one.
  manages: ({ platform, exists }) => platform === 'linux' && exists('/run/openrc/softlevel'),
  nameOf: (service) => service,
  files: (service) => [{ path: `/etc/init.d/${service.name}`, text: scriptText(service), mode: 0o755 }],
  commandEnd,
  ownPaths: () => [],
  reload: () => [],
  enable: (service) => [['rc-update', 'add', service, 'default']],
  restart: (service) => [['rc-service', service, 'restart']],
  stop: (service) => [['rc-service', service, 'stop']],
  disable: (service) => [['rc-update', 'del', service, 'default']],
  release: (service) => [['sh', '-c', END_SUPERVISOR, 'sh', pidFile(service)]],
};
