import { execFile } from 'node:child_process';

const COMMAND_TIMEOUT_MS = 60_000;

/** A program could not be run, or failed; the message contains its output. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** A program and its arguments. */
export type Command = readonly [file: string, ...args: string[]];

/** Runs a program to its end and returns its output; throws when it fails. Tests replace it. */
export type RunCommand = (command: Command) => Promise<string>;

export const runCommand: RunCommand = async ([file, ...args]) =>
  new Promise((resolve, reject) => {
    execFile(file, args, { timeout: COMMAND_TIMEOUT_MS }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new CommandError(`${file} failed: ${stderr.trim() || error.message}`, { cause: error }));
    });
  });
