import { execFile, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

import { expect } from 'vitest';

import { enrol, ReportingDevice } from '../support/devices/reporting-device.js';
import { onMachine } from '../support/processes/service-process.js';

/*
 * Commands of docs/api.md, typed in its order into a shell, at a service that runs.
 */

const TOOLS = ['bash', 'curl', 'jq'];
const missing = TOOLS.filter((tool) => spawnSync(tool, ['--version']).status !== 0);
const run = promisify(execFile);
const typed = missing.length === 0 ? onMachine : onMachine.skip;

typed(
  `the commands of the API's guide work${missing.length === 0 ? '' : ` (${missing.join(' and ')} not installed)`}`,
  async ({ machine }) => {
    const server = await machine.start();
    const device = await ReportingDevice.register(server.url, await enrol(machine.client(server)));
    const guide = await readFile(new URL('../../docs/api.md', import.meta.url), 'utf8');
    const commands = [...guide.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block]) =>
      block.replaceAll('http://localhost:8080', server.url),
    );
    expect(commands).toHaveLength(2);

    // An answer that is no success ends it.
    const shell = ['-e', '-u', '-o', 'pipefail', '-c', commands.join('\necho\n')];
    const { stdout } = await run('bash', shell, { env: { PATH: process.env.PATH, NO_PROXY: '*', API_KEY: machine.account.key } });
    expect(stdout).toContain('"items":[{"id":');
    expect(stdout).toMatch(/^[0-9A-F]{32}:\S+$/m);
    expect(stdout).toContain('"isAllowed":true');
    const { name } = (await machine.client(server).get(`/api/v1/devices/${device.id}`)).as<{ name: string }>();
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(JSON.stringify(name));
  },
);
