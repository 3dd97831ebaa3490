import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { Program } from '../../demo/program.js';
import { newGuid } from '../../src/platform/common/identifiers/guid.js';
import { builtProject } from '../support/processes/service-process.js';
import { canManageMachines, ManagedMachine, MANAGERS, WITHOUT_MANAGERS } from './devices/managed-machine.js';

/** For each manager the file of a service, and the commands that start, stop and forget it. */
const EXPECTED: Readonly<Record<string, { file: string; start: string[]; stop: string[]; forget: string[] }>> = {
  systemd: {
    file: 'systemd/system/device-agent-two.service',
    start: ['systemctl daemon-reload', 'systemctl enable device-agent-two.service', 'systemctl restart device-agent-two.service'],
    stop: ['systemctl stop device-agent-two.service'],
    forget: ['systemctl disable device-agent-two.service', 'systemctl daemon-reload'],
  },
  OpenRC: {
    file: 'init.d/device-agent-two',
    start: ['rc-update add device-agent-two default', 'rc-service device-agent-two restart'],
    stop: ['rc-service device-agent-two stop'],
    forget: ['rc-update del device-agent-two default'],
  },
  runit: {
    file: 'sv/device-agent-two/run',
    start: ['sv status /etc/sv/device-agent-two', 'sv -w 30 restart /etc/sv/device-agent-two'],
    stop: ['sv status /etc/sv/device-agent-two', 'sv -w 30 stop /etc/sv/device-agent-two'],
    forget: [],
  },
};

describe.skipIf(!canManageMachines).each(MANAGERS)(
  `an agent on a machine with $title${canManageMachines ? '' : ` (skipped: ${WITHOUT_MANAGERS})`}`,
  (manager) => {
    const { file, start, stop, forget } = EXPECTED[manager.title] ?? { file: '', start: [], stop: [], forget: [] };
    let folder: string;
    let machine: ManagedMachine;

    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'managed-'));
      machine = await ManagedMachine.make(join(folder, 'machine'), manager);
    });

    afterEach(() => rm(folder, { recursive: true }));

    async function run(...words: string[]): Promise<Program> {
      const main = join(await builtProject(), 'dist/agent/src/main.js');
      const program = Program.start('The agent', machine.command([process.execPath, main, ...words]), {
        cwd: '/',
        env: machine.environment,
      });
      await program.untilEnd();
      return program;
    }
    const agent = async (...words: string[]): Promise<Program> =>
      run(...words, '--data-dir', join(folder, 'made/agent'), '--instance', 'two');
    const install = (): Promise<Program> => agent('install', '--server', 'https://devices.example', '--tenant', newGuid());
    const text = (): Promise<string> => readFile(machine.etc(file), 'utf8');
    const settings = async (): Promise<unknown> => JSON.parse(await readFile(join(folder, 'made/agent/settings.json'), 'utf8'));

    it('is started, started again by the next installation, and removed', async () => {
      for (let time = 1; time <= 2; time += 1) {
        expect((await install()).output).toMatch(/Service device-agent-two(\.service)? runs\./);
        expect(await machine.told()).toEqual(start);
        expect(await text()).toContain(join(folder, 'made/agent'));
        // As the launcher of a bundle starts it.
        expect(await text()).toContain('--max-semi-space-size=2');
      }
      if (manager.title === 'runit') expect(await readdir(machine.etc('service'))).toEqual(['device-agent-two']);
      expect((await agent('uninstall')).output).toContain('is uninstalled');
      expect(await machine.told()).toEqual([...stop, ...forget]);
      expect(existsSync(machine.etc(file))).toBe(false);
      expect(existsSync(join(folder, 'made/agent'))).toBe(false);
      if (manager.title === 'runit') expect(await readdir(machine.etc('service'))).toEqual([]);
    });

    it('stays when an agent on another data folder is uninstalled', async () => {
      await install();
      await machine.told();
      const before = [await text(), await settings()];
      const { output } = await run('uninstall', '--data-dir', join(folder, 'mistyped'), '--instance', 'two');
      expect(output).toMatch(/runs an agent on another folder, so it and the program stay\.\nNo agent is installed in/);
      expect(await machine.told()).toEqual([]);
      expect([await text(), await settings()]).toEqual(before);
    });

    it('is found by the instance in the settings of its data folder', async () => {
      await install();
      await machine.told();
      expect((await run('uninstall', '--data-dir', join(folder, 'made/agent'))).output).toContain('is uninstalled');
      expect(await machine.told()).toEqual([...stop, ...forget]);
      expect(existsSync(machine.etc(file))).toBe(false);
    });

    it('leaves nothing when it does not start, and the former one as it was', async () => {
      await machine.fail('*restart*');
      const failed = await install();
      expect(failed.output).not.toContain('Cleaning up failed');
      expect(await machine.told()).toEqual([...start, ...stop, ...forget]);
      expect([existsSync(machine.etc(file)), existsSync(join(folder, 'made'))]).toEqual([false, false]);

      await machine.fail('nothing');
      await install();
      const before = [await text(), await settings()];
      await machine.told();
      await machine.fail('*restart*');
      expect((await install()).output).toContain('could not be started again');
      expect((await machine.told()).at(-1)).toBe(start.at(-1));
      expect([await text(), await settings()]).toEqual(before);
    });
  },
);
