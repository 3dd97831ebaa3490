import { type AgentOptions, commandFor, INSTANCE } from './install-command.js';

/** Name of the file with the secret, beside the script. */
export const KEY_FILE = 'device-agent.key';

/** The secret in a command, which the script reads from the file instead. */
const SECRET_TEXT = "'{keySecret}'";

interface Installation {
  readonly script: string;
  readonly command: string;
}

/** A script for devices that run it at each start, by a group policy or a device management (MDM). */
export interface PolicyScript {
  readonly fileName: string;
  readonly text: string;
}

/**
 * The script that installs the agent where it is missing, with the secret of the key in a file beside it. Only for the scripts of this
 * service: installers of other agents do not say where they install.
 */
export function policyScriptFor(installation: Installation, keyId: string, options: AgentOptions): PolicyScript {
  const name = new RegExp(`^${INSTANCE}$`).test(options.instanceId) ? `device-agent-${options.instanceId}` : 'device-agent';
  return installation.script === 'install.ps1'
    ? { fileName: 'install-device-agent.ps1', text: inPowerShell(installation, name, keyId, options) }
    : { fileName: 'install-device-agent.sh', text: inShell(installation, name, keyId, options) };
}

function inShell({ script, command }: Installation, name: string, keyId: string, options: AgentOptions): string {
  const reading = command.replaceAll(SECRET_TEXT, () => '"$(head -n 1 "$folder/device-agent.key")"');
  return [
    '#!/bin/sh',
    '# Installs the agent unless it is there. Run as root, with device-agent.key in the same folder.',
    'set -eu',
    `[ ! -e /opt/${name}/current ] || exit 0`,
    'folder=$(cd "$(dirname "$0")" && pwd)',
    commandFor({ script, command: reading }, { id: keyId, secret: '' }, options),
    '',
  ].join('\n');
}

function inPowerShell({ script, command }: Installation, name: string, keyId: string, options: AgentOptions): string {
  const reading = command.replaceAll(
    SECRET_TEXT,
    () => "(Get-Content -LiteralPath (Join-Path $PSScriptRoot 'device-agent.key') -TotalCount 1).Trim()",
  );
  return [
    '# Installs the agent unless it is there. Run as SYSTEM or administrator, with device-agent.key in the same folder.',
    "$ErrorActionPreference = 'Stop'",
    `if (Get-ScheduledTask -TaskName '${name}' -ErrorAction SilentlyContinue) { exit 0 }`,
    commandFor({ script, command: reading }, { id: keyId, secret: '' }, options),
    '',
  ].join('\r\n');
}
