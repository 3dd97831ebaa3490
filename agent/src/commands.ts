import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';

const COMMAND_TIMEOUT_MS = 60_000;
/** Time that a program has to end after it was asked to. */
const GRACE_MS = 2_000;
/** Most characters of an output that are kept. */
const MAX_OUTPUT = 1024 * 1024;
const HAS_GROUPS = process.platform !== 'win32';

/** A program could not be run, or failed; the message contains its output. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** A program and its arguments. */
export type Command = readonly [file: string, ...args: string[]];

/**
 * Runs a program to its end and returns its output; throws when it fails, or takes longer than a minute or the given time. It is then ended
 * with the programs that it has started, and those that do not end are killed. Tests replace it.
 */
export type RunCommand = (command: Command, timeoutMs?: number) => Promise<string>;

export const runCommand: RunCommand = async ([file, ...args], timeoutMs = COMMAND_TIMEOUT_MS) =>
  new Promise((resolve, reject) => {
    // In a group of its own, so that the programs that it starts can be ended with it.
    const child = spawn(file, args, { detached: HAS_GROUPS, stdio: ['ignore', 'pipe', 'pipe'] });
    const tooLate = new CommandError(`${file} took longer than ${timeoutMs / 1000} s.`);
    let isLate = false;
    const late = setTimeout(() => {
      isLate = true;
      endAll(child, 'SIGTERM');
    }, timeoutMs);
    const last = setTimeout(() => {
      endAll(child, 'SIGKILL');
      // A program that waits for a disk does not even end then, and one that has left the group may hold the pipes.
      child.stdout.destroy();
      child.stderr.destroy();
      child.unref();
      reject(tooLate);
    }, timeoutMs + GRACE_MS);
    child.once('error', (cause) => {
      clearTimeout(late);
      clearTimeout(last);
      reject(new CommandError(`${file} failed: ${cause.message}`, { cause }));
    });
    const stdout = textOf(child.stdout);
    const stderr = textOf(child.stderr);
    child.once('close', (code, signal) => {
      clearTimeout(late);
      clearTimeout(last);
      if (isLate) reject(tooLate);
      else if (code === 0) resolve(stdout());
      else reject(new CommandError(`${file} failed: ${stderr().trim() || `it ended with ${code ?? signal}.`}`));
    });
  });

/** Collects the text that a program writes. */
function textOf(output: Readable): () => string {
  let text = '';
  output.setEncoding('utf8').on('data', (more: string) => {
    if (text.length < MAX_OUTPUT) text += more;
  });
  return () => text;
}

/** Sends a signal to a program and those of its group. */
function endAll(child: ChildProcess, signal: NodeJS.Signals): void {
  if (!HAS_GROUPS || child.pid === undefined) {
    child.kill(signal);
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch {
    // All of them have ended.
  }
}
