import { randomInt } from 'node:crypto';
import { readdir, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { DataDirectory } from '../data-directory.js';
import { codeOf, isMissing } from '../failures.js';
import { startOf } from './process-start.js';

/** An agent runs on the data folder, or cannot be ended; the message says what to do. */
export class RunningAgentError extends Error {
  override readonly name = 'RunningAgentError';
}

/** Name of an agent's mark in the data folder: the id of its process, and when that was started. */
const MARK = /^agent-(\d+)-([\w-]+)\.running$/;
/** Attempts to start: two agents that start at the same moment see each other and both step back, and try again after a random time. */
const ATTEMPTS = 4;
const LONGEST_STEP_BACK_MS = 200;
/** Time for an agent to end its terminals and its connection before it is killed, in milliseconds. */
const STOP_TIMEOUT_MS = 10_000;
/** The kernel ends a killed process at once unless it is stuck in the kernel itself. */
const KILL_TIMEOUT_MS = 5_000;
const POLL_MS = 50;
/** Error codes of a file system that takes no new files, or no changes at all. */
const TAKES_NO_FILES = new Set(['EROFS', 'ENOSPC', 'EDQUOT']);
const READ_ONLY = 'EROFS';

interface Mark {
  readonly path: string;
  readonly pid: number;
  readonly start: string;
}

/**
 * Marks the data folder as served by this process, until the returned function is called. Marks have names of their own that no
 * later process can have, so the mark of an agent that was killed is told from that of a living one and is removed.
 * A disk that is full or has become read-only gets no mark: the agent is needed most where a disk fails.
 * @throws RunningAgentError when another agent runs on the folder
 */
export async function claimDataDirectory(directory: DataDirectory): Promise<() => Promise<void>> {
  const start = await startOf(process.pid);
  if (start === undefined) throw new Error('The agent cannot find its own process.');
  const path = join(directory.root, `agent-${process.pid}-${start}.running`);
  for (let attempt = 1; ; attempt++) {
    const mark = await create(path);
    if (mark === 'is there') throw alreadyRuns(directory, process.pid);
    const other = (await livingMarks(directory)).find((each) => each.path !== path);
    if (other === undefined) return async () => removeMark(path);
    await removeMark(path);
    if (attempt === ATTEMPTS || mark === 'cannot be made') throw alreadyRuns(directory, other.pid);
    await delay(randomInt(LONGEST_STEP_BACK_MS));
  }
}

/**
 * Ends every agent that runs on the data folder, whatever started it, and waits for its end.
 * @throws RunningAgentError when one belongs to another account or does not end
 */
export async function endRunningAgents(directory: DataDirectory): Promise<void> {
  const marks = await livingMarks(directory);
  for (const mark of marks) await signal(mark, 'SIGTERM');
  const stubborn = await survivorsOf(marks, STOP_TIMEOUT_MS);
  for (const mark of stubborn) await signal(mark, 'SIGKILL');
  const [survivor] = await survivorsOf(stubborn, KILL_TIMEOUT_MS);
  if (survivor !== undefined) throw new RunningAgentError(`The agent in process ${survivor.pid} does not end.`);
  // Those that were killed have left their marks.
  await livingMarks(directory);
}

/** The marks of agents that live. Those of agents that have ended are removed. */
async function livingMarks(directory: DataDirectory): Promise<Mark[]> {
  const living: Mark[] = [];
  for (const name of await namesIn(directory.root)) {
    const match = MARK.exec(name);
    if (match === null) continue;
    const mark = { path: join(directory.root, name), pid: Number(match[1]), start: match[2] };
    if (await isAlive(mark)) living.push(mark);
    else await removeMark(mark.path);
  }
  return living;
}

async function isAlive({ pid, start }: Mark): Promise<boolean> {
  return (await startOf(pid)) === start;
}

async function signal(mark: Mark, name: NodeJS.Signals): Promise<void> {
  // Looked at again, because the id may have passed on to another process.
  if (!(await isAlive(mark))) return;
  try {
    process.kill(mark.pid, name);
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return;
    if (codeOf(error) !== 'EPERM') throw error;
    throw new RunningAgentError(`The agent in process ${mark.pid} belongs to another account. Use that account, or root.`);
  }
}

async function survivorsOf(marks: readonly Mark[], timeoutMs: number): Promise<Mark[]> {
  let survivors = [...marks];
  for (let waited = 0; ; waited += POLL_MS) {
    const alive = await Promise.all(survivors.map(isAlive));
    survivors = survivors.filter((_, index) => alive[index]);
    if (survivors.length === 0 || waited >= timeoutMs) return survivors;
    await delay(POLL_MS);
  }
}

/** Creates the mark. If it exists, another agent of this process has made it. */
async function create(path: string): Promise<'is made' | 'is there' | 'cannot be made'> {
  try {
    await writeFile(path, '', { flag: 'wx', mode: 0o600 });
    return 'is made';
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return 'is there';
    if (TAKES_NO_FILES.has(codeOf(error) ?? '')) return 'cannot be made';
    throw error;
  }
}

async function removeMark(path: string): Promise<void> {
  await unlink(path).catch((error: unknown) => {
    if (!isMissing(error) && codeOf(error) !== READ_ONLY) throw error;
  });
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
}

function alreadyRuns({ root }: DataDirectory, pid: number): RunningAgentError {
  return new RunningAgentError(
    `An agent runs on ${root} already, in process ${pid}. End it first, or name another folder with --data-dir.`,
  );
}
