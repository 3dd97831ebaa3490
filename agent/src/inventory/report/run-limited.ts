import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';

import type { Command } from '../../commands.js';

/** Most output of one program: the list of a big workstation has a tenth of it. */
const MAXIMUM_OUTPUT = 8 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

/** Output of a program, or undefined when it is missing, fails, takes too long or says too much. Tests replace it. */
export type ReadOutput = (command: Command) => Promise<string | undefined>;

export const readOutput: ReadOutput = async ([file, ...args]) =>
  new Promise((resolve) => {
    const options = {
      timeout: TIMEOUT_MS,
      maxBuffer: MAXIMUM_OUTPUT,
      windowsHide: true,
      env: { ...process.env, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive' },
    };
    execFile(file, args, options, (error, stdout) => resolve(error === null ? stdout : undefined));
  });

/** The text of a file without the line feed at its end; empty when it cannot be read. */
export async function textOfFile(path: string): Promise<string> {
  return readFile(path, 'utf8').then(
    (text) => text.replaceAll('\0', '').trim(),
    () => '',
  );
}
