/** A script under `/downloads` that installs the agent. */
export type InstallScript = 'install.sh' | 'install.ps1';

/** Stand in commands for the id and the secret of an installer key. */
export const INSTALLER_KEY = { id: '{keyId}', secret: '{keySecret}' } as const;

/** What is typed on a device to install the agent, as docs/agent.md explains it. */
export function installCommand(script: InstallScript, serviceAddress: string, tenantId: string): string {
  const url = `${serviceAddress}/downloads/${script}`;
  return script === 'install.sh' ? inShell(url, serviceAddress, tenantId) : inPowerShell(url, serviceAddress, tenantId);
}

function inShell(url: string, serviceAddress: string, tenantId: string): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  return [
    `export DEVICE_AGENT_KEY_SECRET='${INSTALLER_KEY.secret}'`,
    // Where one is root there may be no sudo.
    `curl -fsSL ${quoted(url)} | $([ "$(id -u)" = 0 ] || echo sudo --preserve-env=DEVICE_AGENT_KEY_SECRET) sh -s -- ` +
      `--server ${quoted(serviceAddress)} --tenant ${tenantId} --key-id ${INSTALLER_KEY.id}`,
  ].join('\n');
}

function inPowerShell(url: string, serviceAddress: string, tenantId: string): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
  return [
    `$env:DEVICE_AGENT_KEY_SECRET = '${INSTALLER_KEY.secret}'`,
    `iwr ${quoted(url)} -OutFile install.ps1 -UseBasicParsing`,
    `powershell -ExecutionPolicy Bypass -File install.ps1 -Server ${quoted(serviceAddress)} -Tenant ${tenantId} -KeyId ${INSTALLER_KEY.id}`,
  ].join('\n');
}
