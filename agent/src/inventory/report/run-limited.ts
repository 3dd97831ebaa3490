import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';

import type { Command } from '../../commands.js';
import { parsed } from './json-value.js';

/** Most output of one program: the list of a big workstation has a tenth of it. */
const MAXIMUM_OUTPUT = 8 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

/** Output of a program, or undefined when it is missing, fails, takes too long or says too much. Tests replace it. */
export type ReadOutput = (command: Command, timeoutMs?: number) => Promise<string | undefined>;

export const readOutput: ReadOutput = outputReader(() => undefined);

/** Reads the output of programs. `onLate` is called for each that takes too long. */
export function outputReader(onLate: () => void): ReadOutput {
  return async (command, timeoutMs = TIMEOUT_MS) => read(command, timeoutMs, onLate);
}

async function read([file, ...args]: Command, timeoutMs: number, onLate: () => void): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = {
      timeout: timeoutMs,
      // Some programs put other signals off: rpm does while it waits for its database.
      killSignal: 'SIGKILL' as const,
      maxBuffer: MAXIMUM_OUTPUT,
      windowsHide: true,
      env: { ...process.env, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' },
    };
    execFile(file, args, options, (error, stdout) => {
      if (error?.killed === true) onLate();
      resolve(error === null ? stdout : undefined);
    });
  });
}

/**
 * JSON of a program that tells the whole inventory.
 * @throws Error when it tells nothing, as on a busy machine: an empty inventory would take the place of the last one
 */
export async function readJson(output: ReadOutput, command: Command): Promise<unknown> {
  const value = parsed(await output(command));
  if (value === undefined) throw new Error(`${command[0]} has failed, or took longer than a minute.`);
  return value;
}

/** The text of a file without the line feed at its end; empty when it cannot be read. */
export async function textOfFile(path: string): Promise<string> {
  return readFile(path, 'utf8').then(
    (text) => text.replaceAll('\0', '').trim(),
    () => '',
  );
}
