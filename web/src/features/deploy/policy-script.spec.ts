import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { KEY_FILE, policyScriptFor } from './policy-script.js';

const KEY_ID = '0e0f6b0a-6a34-4c55-9d1b-3f6c0f1a2b3c';
/** Commands in the form of the service's. */
const shell = {
  script: 'install.sh',
  command: "export DEVICE_AGENT_KEY_SECRET='{keySecret}'; curl -fsSL 'https://devices.example/install.sh' | sh -s -- --key-id {keyId}",
};
const power = { script: 'install.ps1', command: "$env:DEVICE_AGENT_KEY_SECRET = '{keySecret}'; & install -KeyId {keyId}" };
const nothing = { tagIds: [], instanceId: '' };

describe('the script for policies', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'policy-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  it('reads the secret from the file beside it, and gives it to the installer', async () => {
    const { fileName, text } = policyScriptFor(shell, KEY_ID, { tagIds: ['t1'], instanceId: 'second' });
    await writeFile(join(folder, KEY_FILE), "a secret with ' and $(id)\n");
    await writeFile(join(folder, fileName), text);
    // The downloaded installer prints the secret and its arguments.
    const tools = `curl() { echo 'echo "$DEVICE_AGENT_KEY_SECRET|$*"'; }`;
    const { stdout } = await promisify(execFile)('sh', ['-c', `${tools}; . "$0"`, join(folder, fileName)]);

    expect(stdout).toBe(`a secret with ' and $(id)|--key-id ${KEY_ID} --tags t1 --instance second\n`);
    expect(text).toContain('[ ! -e /opt/device-agent-second/current ] || exit 0\n');
  });

  it('holds no secret, and looks for the task of the agent on Windows', () => {
    const { fileName, text } = policyScriptFor(power, KEY_ID, nothing);

    expect(fileName).toBe('install-device-agent.ps1');
    expect(text).toContain("if (Get-ScheduledTask -TaskName 'device-agent' -ErrorAction SilentlyContinue) { exit 0 }\r\n");
    expect(text).toContain(
      "$env:DEVICE_AGENT_KEY_SECRET = (Get-Content -LiteralPath (Join-Path $PSScriptRoot 'device-agent.key') -TotalCount 1).Trim(); ",
    );
    expect(text).not.toMatch(/\{key(Id|Secret)\}/);
  });
});
