/** A script under `/downloads` that installs the agent. */
export type InstallScript = 'install.sh' | 'install.ps1';

/** Stand in commands for the id and the secret of an installer key. */
export const INSTALLER_KEY = { id: '{keyId}', secret: '{keySecret}' } as const;

/** Returns the command that installs the agent on a device, in one line, as docs/agent.md explains it. */
export function installCommand(script: InstallScript, serviceAddress: string, tenantId: string): string {
  const url = `${serviceAddress}/downloads/${script}`;
  return script === 'install.sh' ? inShell(url, serviceAddress, tenantId) : inPowerShell(url, serviceAddress, tenantId);
}

function inShell(url: string, serviceAddress: string, tenantId: string): string {
  return (
    `export DEVICE_AGENT_KEY_SECRET='${INSTALLER_KEY.secret}'; ` +
    // Where one is root there may be no sudo.
    `curl -fsSL ${quotedForShell(url)} | $([ "$(id -u)" = 0 ] || echo sudo --preserve-env=DEVICE_AGENT_KEY_SECRET) sh -s -- ` +
    `--server ${quotedForShell(serviceAddress)} --tenant ${tenantId} --key-id ${INSTALLER_KEY.id}`
  );
}

function inPowerShell(url: string, serviceAddress: string, tenantId: string): string {
  return [
    `$env:DEVICE_AGENT_KEY_SECRET = '${INSTALLER_KEY.secret}'`,
    // Windows 10 of the first years offers TLS 1.0 only, unless it is told otherwise.
    `[Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor 3072`,
    // Without a file, which others could replace before it runs.
    `& ([scriptblock]::Create((New-Object Net.WebClient).DownloadString(${quotedForPowerShell(url)}))) ` +
      `-Server ${quotedForPowerShell(serviceAddress)} -Tenant ${tenantId} -KeyId ${INSTALLER_KEY.id}`,
  ].join('; ');
}

/** Returns the command that runs an agent's own installer on a device, in one line, as docs/agent.md explains it. Options may follow. */
export function installerCommand(path: string, serviceAddress: string, tenantId: string): string {
  return path.endsWith('.exe') ? installerInPowerShell(path, serviceAddress, tenantId) : installerInShell(path, serviceAddress, tenantId);
}

/** The installer takes the secret as an option only. */
function installerOptions(serviceAddress: string, tenantId: string): string {
  return (
    `install --server-uri ${serviceAddress} --tenant-id ${tenantId} ` +
    `--installer-key-id ${INSTALLER_KEY.id} --installer-key-secret '${INSTALLER_KEY.secret}'`
  );
}

function installerInShell(path: string, serviceAddress: string, tenantId: string): string {
  return [
    // A folder of the caller alone: in one that others can write to, they could put another program in its place.
    `installer=$(mktemp -d)/installer`,
    `curl -fsSL ${quotedForShell(`${serviceAddress}/downloads/${path}`)} -o "$installer" && chmod +x "$installer" && ` +
      `$([ "$(id -u)" = 0 ] || echo sudo) "$installer" ${installerOptions(quotedForShell(serviceAddress), tenantId)}`,
  ].join('; ');
}

function installerInPowerShell(path: string, serviceAddress: string, tenantId: string): string {
  return [
    `$installer = Join-Path $env:TEMP '${path.replace(/^.*\//, '')}'`,
    `iwr ${quotedForPowerShell(`${serviceAddress}/downloads/${path}`)} -OutFile $installer -UseBasicParsing`,
    `& $installer ${installerOptions(quotedForPowerShell(serviceAddress), tenantId)}`,
  ].join('; ');
}

function quotedForShell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function quotedForPowerShell(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
