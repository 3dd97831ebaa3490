import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { describe, expect, it } from 'vitest';

import { installCommand, installerCommand } from './install-command.js';

const ADDRESS = 'https://devices.example';
const TENANT = '3f0e7a52-3c62-4f0e-9d1a-0c6f5b7f6a11';

describe('the command that installs the agent', () => {
  it('leaves the secret to the environment, where other users of the device do not see it', () => {
    expect(installCommand('install.sh', ADDRESS, TENANT)).toBe(
      "export DEVICE_AGENT_KEY_SECRET='{keySecret}'; " +
        'curl -fsSL \'https://devices.example/downloads/install.sh\' | $([ "$(id -u)" = 0 ] || echo sudo --preserve-env=DEVICE_AGENT_KEY_SECRET) sh -s -- ' +
        `--server 'https://devices.example' --tenant ${TENANT} --key-id {keyId}`,
    );
    expect(installCommand('install.ps1', ADDRESS, TENANT)).toBe(
      "$env:DEVICE_AGENT_KEY_SECRET = '{keySecret}'; " +
        '[Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor 3072; ' +
        "& ([scriptblock]::Create((New-Object Net.WebClient).DownloadString('https://devices.example/downloads/install.ps1'))) " +
        `-Server 'https://devices.example' -Tenant ${TENANT} -KeyId {keyId}`,
    );
  });

  it('uses sudo only where the user is not root: root may have none', async () => {
    const [, prefix = ''] = /\| (\$\(.*\)) sh -s/.exec(installCommand('install.sh', ADDRESS, TENANT)) ?? [];
    const asked = async (uid: number): Promise<string> => {
      const script = `id() { echo ${uid}; }; echo ${prefix} sh`;
      return (await promisify(execFile)('sh', ['-c', script])).stdout.trim();
    };
    expect([await asked(0), await asked(1000)]).toEqual(['sh', 'sudo --preserve-env=DEVICE_AGENT_KEY_SECRET sh']);
  });

  it('keeps an address in one piece, with any characters in it', () => {
    const odd = "https://x'$(id)";
    expect(installCommand('install.sh', odd, TENANT)).toContain(String.raw`--server 'https://x'\''$(id)' `);
    expect(installCommand('install.ps1', odd, TENANT)).toContain("-Server 'https://x''$(id)' ");
  });
});

describe('the command that runs the installer of another agent', () => {
  const path = 'linux-x64/ControlR.Agent.Installer';

  it('gives it the options that it knows', () => {
    const options = `--tenant-id ${TENANT} --installer-key-id {keyId} --installer-key-secret '{keySecret}'`;
    expect(installerCommand(path, ADDRESS, TENANT)).toBe(
      'installer=$(mktemp -d)/installer; ' +
        `curl -fsSL 'https://devices.example/downloads/${path}' -o "$installer" && chmod +x "$installer" && ` +
        `$([ "$(id -u)" = 0 ] || echo sudo) "$installer" install --server-uri 'https://devices.example' ${options}`,
    );
    expect(installerCommand('win-x64/ControlR.Agent.Installer.exe', ADDRESS, TENANT)).toBe(
      "$installer = Join-Path $env:TEMP 'ControlR.Agent.Installer.exe'; " +
        "iwr 'https://devices.example/downloads/win-x64/ControlR.Agent.Installer.exe' -OutFile $installer -UseBasicParsing; " +
        `& $installer install --server-uri 'https://devices.example' ${options}`,
    );
  });

  it.each([
    [0, ''],
    [1000, 'sudo '],
  ])('runs it as root (user %i)', async (uid, sudo) => {
    // The downloaded program prints the arguments of its call.
    const program = '#!/bin/sh\necho "$*"\n';
    const tools = `id() { echo ${uid}; }; sudo() { printf 'sudo '; "$@"; }; curl() { printf '%s' "$PROGRAM" >"$4"; }`;
    const command = `${tools}\n${installerCommand(path, "https://x'$(id)", TENANT)} --device-tags 't1,t2'; rm -r "$(dirname "$installer")"`;
    const { stdout } = await promisify(execFile)('sh', ['-c', command], { env: { ...process.env, PROGRAM: program } });
    expect(stdout).toBe(
      `${sudo}install --server-uri https://x'$(id) --tenant-id ${TENANT} --installer-key-id {keyId} --installer-key-secret {keySecret} --device-tags t1,t2\n`,
    );
  });
});
