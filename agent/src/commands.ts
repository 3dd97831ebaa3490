import { execFile } from 'node:child_process';

const COMMAND_TIMEOUT_MS = 60_000;

/** A program could not be run, or failed; the message contains its output. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** A program and its arguments. */
export type Command = readonly [file: string, ...args: string[]];

/** Runs a program to its end and returns its output; throws when it fails, or takes longer than a minute or the given time. Tests replace it. */
export type RunCommand = (command: Command, timeoutMs?: number) => Promise<string>;

export const runCommand: RunCommand = async ([file, ...args], timeoutMs = COMMAND_TIMEOUT_MS) =>
  new Promise((resolve, reject) => {
    execFile(file, args, { timeout: timeoutMs }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else if (error.killed === true) reject(new CommandError(`${file} took longer than ${timeoutMs / 1000} s.`, { cause: error }));
      else reject(new CommandError(`${file} failed: ${stderr.trim() || error.message}`, { cause: error }));
    });
  });
