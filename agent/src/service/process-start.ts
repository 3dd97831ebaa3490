import { readFile } from 'node:fs/promises';
import { runCommand } from '../commands.js';

/** Fields of /proc/<pid>/stat, counted from the one behind the name of the program. */
const STATE = 0;
const START_TIME = 19;
const ENDED_STATES = new Set(['Z', 'X']);

/**
 * Returns the start time of a process, as a word of letters, digits and `-`. It tells a process from a later one with the same id, also
 * after a restart of the machine. Undefined if no such process lives.
 */
export async function startOf(pid: number): Promise<string | undefined> {
  return process.platform === 'linux' ? startOnLinux(pid) : startByPs(pid);
}

async function startOnLinux(pid: number): Promise<string | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1');
    // The name of the program may hold blanks and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (ENDED_STATES.has(fields[STATE])) return undefined;
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'latin1');
    return `${boot.slice(0, 8)}-${fields[START_TIME]}`;
  } catch {
    // A process that ends while it is read answers with various errors.
    return undefined;
  }
}

async function startByPs(pid: number): Promise<string | undefined> {
  try {
    // A language and a time zone of its own, so that every caller gets the same words.
    const printed = await runCommand(['env', 'LC_ALL=C', 'TZ=UTC', 'ps', '-o', 'lstart=', '-p', String(pid)]);
    return printed.trim().replaceAll(/\W+/g, '-') || undefined;
  } catch {
    // ps fails when there is no such process.
    return undefined;
  }
}
