import { spawn as spawnPty, type IPty } from '@lydell/node-pty';
import { spawnSync } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { until } from '../waiting.fixture.js';

const DEADLINE_MS = 60_000;

/** A person who sits at a terminal and reads. */
export class Person {
  private printed = '';
  private readonly pty: IPty;

  /** `env` is the environment of the programs in the terminal, such as the display that its window is on. */
  constructor(env: Record<string, string> = {}) {
    this.pty = spawnPty('/bin/sh', ['-c', 'tty; exec cat'], { env });
    this.pty.onData((text) => (this.printed += text));
  }

  /** A terminal that adds the start of a line to its end shows no difference. */
  get screen(): string {
    return this.printed.replaceAll(/\r+\n/g, '\r\n');
  }

  async terminal(): Promise<string> {
    const path = await until(() => /^(\/dev\/\S+)\r\n/.exec(this.screen)?.[1]);
    await chmod(path, 0o620);
    return path;
  }

  /** Waits for the whole line with that text: a terminal may deliver a line in parts. */
  async reads(text: string | RegExp): Promise<string> {
    return until(() => (isOnWholeLine(text, this.screen) ? this.screen : undefined));
  }

  leave(): void {
    this.pty.kill();
  }
}

function isOnWholeLine(text: string | RegExp, screen: string): boolean {
  const start = typeof text === 'string' ? screen.indexOf(text) : screen.search(text);
  return start >= 0 && screen.includes('\r\n', start);
}

/** The line of `who -T` for a user at a terminal who takes messages. */
export const loginOf = (user: string, terminal: string): string =>
  `${user.padEnd(8)} + ${terminal.slice('/dev/'.length)}        2026-11-22 10:00\n`;

/** The pipe for answers that a message on the screen names. */
export const pipeOn = (screen: string): string => /echo 'your answer' > (\S+)\r\n/.exec(screen)?.[1] ?? '';

/** Writes an answer as people do, and returns the exit code. */
export function say(pipe: string, answer: string, uid?: number): number | null {
  const write = `printf '%s\\n' "$1" > "$2"`;
  return spawnSync('/bin/sh', ['-c', write, 'sh', answer, pipe], { timeout: DEADLINE_MS, ...(uid !== undefined && { uid }) }).status;
}
