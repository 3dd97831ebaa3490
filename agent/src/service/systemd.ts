/** Where units of the administrator live. */
export const UNIT_FOLDER = '/etc/systemd/system';

/** Exit code of `run` when the settings are missing or wrong. A restart does not help, so systemd does not try. */
export const EXIT_UNUSABLE_SETTINGS = 2;

export interface UnitFacts {
  /** The program and its first arguments, for example node and main.js. */
  readonly command: readonly string[];
  readonly dataDirectory: string;
}

export function unitName(instance: string | undefined): string {
  return instance === undefined ? 'device-agent.service' : `device-agent-${instance}.service`;
}

/** The text of a systemd unit that keeps the agent running from boot on. */
export function unitText({ command, dataDirectory }: UnitFacts): string {
  const words = [...command, 'run', '--data-dir', dataDirectory];
  return `[Unit]
Description=Device agent
Wants=network-online.target
After=network-online.target

[Service]
ExecStart=${words.map(quoted).join(' ')}
Restart=on-failure
RestartSec=10
RestartPreventExitStatus=${EXIT_UNUSABLE_SETTINGS}
KillMode=control-group
UMask=0077

[Install]
WantedBy=multi-user.target
`;
}

/** Quotes a word for a systemd unit, where quotes, backslashes, percent and dollar signs are special. */
function quoted(word: string): string {
  return `"${word
    .replaceAll(/["\\]/g, String.raw`\$&`)
    .replaceAll('%', '%%')
    .replaceAll('$', '$$$$')}"`;
}
