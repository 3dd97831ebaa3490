import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';

import { afterEach, describe, expect, it } from 'vitest';

import { endGroup } from './end-group.js';

/** Longer than any test waits. */
const GRACE_MS = 600_000;

describe.skipIf(process.platform === 'win32')('the end of a group of processes', () => {
  let child: ChildProcessByStdio<null, null, Readable>;
  afterEach(() => endGroup(child, 0));

  function run(script: string): void {
    child = spawn('sh', ['-c', script], { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  }

  it('is asked for first', async () => {
    run('trap "exit 3" TERM; echo ready >&2; while :; do sleep 1; done');
    await once(child.stderr, 'data');
    endGroup(child, GRACE_MS);
    expect(await once(child, 'close')).toEqual([3, null]);
  });

  it('comes also for one that does not listen', async () => {
    run('trap "" TERM; echo ready >&2; sleep 600');
    await once(child.stderr, 'data');
    endGroup(child, 100);
    expect(await once(child, 'close')).toEqual([null, 'SIGKILL']);
  });

  it('comes for a process whose parent has ended before', async () => {
    run('(trap "" TERM; echo ready >&2; exec sleep 600) & exit 0');
    await Promise.all([once(child.stderr, 'data'), once(child, 'exit')]);
    endGroup(child, 100);
    expect(await once(child, 'close')).toEqual([0, null]);
  });

  it('may have come already', async () => {
    run('exit 0');
    child.stderr.resume();
    await once(child, 'close');
    expect(() => endGroup(child, 0)).not.toThrow();
  });
});
