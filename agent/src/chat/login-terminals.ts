import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { runCommand, type RunCommand } from '../commands.js';

/** A terminal at which a user is signed in and that takes messages. */
export interface LoginTerminal {
  readonly path: string;
  readonly user: string;
  readonly uid: number;
}

/** `user + line time`. The sign says whether messages are allowed, but the device itself decides. */
const LOGIN = /^(\S+)\s+[-+?]\s+((?:pts\/|tty|console)\w*)\s/;
/** Terminals that take messages are writable for their group: `mesg y`. */
const GROUP_WRITE = 0o020;

/** The terminals at which people are signed in, as `who` lists them, without those that take no messages from this account. */
export async function readLoginTerminals(run: RunCommand = runCommand): Promise<LoginTerminal[]> {
  if (process.platform === 'win32') return [];
  // A system without `who` shows messages on its desktops only.
  const printed = await run(['env', 'LC_ALL=C', 'who', '-T']).catch(() => '');
  const terminals = await Promise.all(printed.split('\n').map(terminalOf));
  return terminals.filter((terminal) => terminal !== undefined);
}

async function terminalOf(line: string): Promise<LoginTerminal | undefined> {
  const [, user, name] = LOGIN.exec(line) ?? [];
  if (user === undefined || name === undefined) return undefined;
  const path = `/dev/${name}`;
  // The records of logins may name terminals that are gone.
  const stats = await stat(path).catch(() => undefined);
  if (stats === undefined || !stats.isCharacterDevice() || (stats.mode & GROUP_WRITE) === 0) return undefined;
  const own = process.getuid?.();
  return own === 0 || own === stats.uid ? { path, user, uid: stats.uid } : undefined;
}

/** Prints the text. False when the terminal does not take it, as one whose output is stopped. */
export async function printOn({ path, uid }: LoginTerminal, text: string): Promise<boolean> {
  try {
    const file = await open(path, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY | constants.O_NOFOLLOW);
    try {
      // The next login may have got the same name.
      const stats = await file.stat();
      if (!stats.isCharacterDevice() || stats.uid !== uid || (stats.mode & GROUP_WRITE) === 0) return false;
      const bytes = Buffer.from(text);
      for (let sent = 0; sent < bytes.length;) sent += (await file.write(bytes, sent)).bytesWritten;
      return true;
    } finally {
      await file.close();
    }
  } catch {
    return false;
  }
}
