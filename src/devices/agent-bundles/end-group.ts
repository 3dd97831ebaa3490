import type { ChildProcess } from 'node:child_process';

import { hasCode } from '../../platform/common/errors/system-error.js';

/**
 * Asks a process that leads a group of its own to end, with all of the group, and kills what has not ended after some milliseconds. The
 * process may have ended before others of the group, which hold its pipes. On Windows the process alone is ended.
 */
export function endGroup(child: ChildProcess, graceMs: number): void {
  signalGroup(child, 'SIGTERM');
  const kill = setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs);
  child.once('close', () => clearTimeout(kill));
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch (error) {
    // All of them have ended.
    if (!hasCode(error, 'ESRCH')) throw error;
  }
}
