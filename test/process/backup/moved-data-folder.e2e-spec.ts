import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Program } from '../../../demo/program.js';
import { plainEnvironment } from '../../../demo/service.js';
import { eventually } from '../../support/eventually.js';
import { builtProject } from '../../support/processes/service-process.js';

const MOVED = '/var/lib/device-management-service';
/** Runs a program for which /var/lib has nothing but a folder of the test in that place. */
const ISOLATED = `mount -t tmpfs tmpfs /var/lib && mkdir ${MOVED} && mount --bind "$0" ${MOVED} && exec "$@"`;

const canMount = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/var/lib']).status === 0;

describe.skipIf(process.getuid?.() !== 0 || !canMount)(
  'a default data folder that moved, because the service runs as root (needs unshare)',
  () => {
    let closed: string;
    let moved: string;
    let service: Program | undefined;

    beforeEach(async () => {
      [closed, moved] = await Promise.all(['closed-', 'moved-'].map((name) => mkdtemp(join(tmpdir(), name))));
      await chmod(closed, 0o700);
      await chmod(moved, 0o755);
      await mkdir(join(moved, 'downloads'));
      await writeFile(join(moved, 'downloads', 'notes.txt'), 'published');
    });
    afterEach(async () => {
      await service?.stop();
      for (const folder of [closed, moved]) await rm(folder, { recursive: true });
    });

    async function launch(program: string, ...args: readonly string[]): Promise<Program> {
      const script = join(await builtProject(), 'dist', 'service', `${program}.js`);
      const command = ['unshare', '-m', 'sh', '-c', ISOLATED, moved, process.execPath, script, ...args];
      const env = { ...plainEnvironment(), Service_Port: '0', Service_BindAddress: '127.0.0.1' };
      return Program.start(program, command, { cwd: closed, env });
    }

    it('is that of the programs of operators, too', async () => {
      const running = (service = await launch('main'));
      await eventually('the service runs', () => running.output.includes(`Data: ${MOVED}`));
      const file = join(moved, 'by-hand.backup');
      const backup = await launch('backup', file);
      expect(await backup.untilEnd()).toMatchObject({ code: 0 });
      expect(backup.output).toContain('1 file of the data folder');
      const doctor = await launch('doctor', '--silence', '0');
      await doctor.untilEnd();
      expect(doctor.output).toContain(`${MOVED} is writable`);
    });
  },
);
