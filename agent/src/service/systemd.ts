import type { AgentService, ServiceManager } from './service-manager.js';

const UNIT_FOLDER = '/etc/systemd/system';

/** Exit code of `run` when the settings are missing or wrong. A restart does not help, so systemd does not try. */
export const EXIT_UNUSABLE_SETTINGS = 2;

/**
 * Restrictions of the service. Its terminals inherit every limit, and serve to administer the whole machine, so only what no
 * administrator does in a terminal is forbidden. All that gives the service a view of the file system of its own is left out, such as
 * ProtectSystem, ProtectKernelTunables or PrivateTmp: what is mounted in a terminal would be mounted for the terminal alone.
 * NoNewPrivileges and RestrictSUIDSGID would break sudo and package managers, MemoryDenyWriteExecute the agent itself.
 */
const SANDBOX = `# The memory holds the key of the device.
LimitCORE=0
LockPersonality=yes
RestrictRealtime=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK AF_PACKET
SystemCallArchitectures=native
SystemCallFilter=~@cpu-emulation @obsolete @raw-io kexec_load kexec_file_load
SystemCallErrorNumber=EPERM
CapabilityBoundingSet=~CAP_BLOCK_SUSPEND CAP_LEASE CAP_SYS_PACCT CAP_WAKE_ALARM`;

/** The text of a systemd unit that keeps the agent running from boot on. */
export function unitText({ command, dataDirectory }: AgentService): string {
  return `[Unit]
Description=Device agent
Wants=network-online.target
After=network-online.target
RequiresMountsFor=${quoted(dataDirectory)}

[Service]
ExecStart=${command.map(argument).join(' ')}${commandEnd(dataDirectory)}Restart=on-failure
RestartSec=10
RestartPreventExitStatus=${EXIT_UNUSABLE_SETTINGS}
KillMode=control-group
UMask=0077
${SANDBOX}

[Install]
WantedBy=multi-user.target
`;
}

function commandEnd(dataDirectory: string): string {
  return ` "run" "--data-dir" ${argument(dataDirectory)}\n`;
}

/** Quotes a word of a command for a systemd unit, where dollar signs are special, too. */
function argument(word: string): string {
  return quoted(word).replaceAll('$', '$$$$');
}

/** Quotes a word for a systemd unit, where quotes, backslashes and percent signs are special. */
function quoted(word: string): string {
  return `"${word.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('%', '%%')}"`;
}

const unitName = (service: string): string => `${service}.service`;

export const SYSTEMD: ServiceManager = {
  title: 'systemd',
  // In a container systemd may be installed but does not run.
  manages: ({ platform, exists }) => platform === 'linux' && exists('/run/systemd/system'),
  nameOf: unitName,
  files: (service) => [{ path: `${UNIT_FOLDER}/${unitName(service.name)}`, text: unitText(service), mode: 0o644 }],
  commandEnd,
  ownPaths: () => [],
  reload: () => [['systemctl', 'daemon-reload']],
  enable: (service) => [['systemctl', 'enable', unitName(service)]],
  restart: (service) => [['systemctl', 'restart', unitName(service)]],
  stop: (service) => [['systemctl', 'stop', unitName(service)]],
  disable: (service) => [['systemctl', 'disable', unitName(service)]],
  release: () => [],
};
