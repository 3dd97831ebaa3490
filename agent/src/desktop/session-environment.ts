import { shellEnvironment } from '../terminal/shells.js';
import type { Display } from './displays.js';

/** An account of this machine, by its numbers. */
interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Returns the account that a program for the display must become: its user's. Undefined when it has it already, or only root could change it. */
export function accountFor({ user }: Pick<Display, 'user'>, ownUid = process.getuid?.()): Account | undefined {
  // Where the account is the same there is nothing to give up, and a container may forbid the attempt.
  if (user === undefined || user.uid === ownUid || ownUid !== 0) return undefined;
  return { uid: user.uid, gid: user.gid };
}

/** The environment of a program that is to use the display. */
export function environmentFor({ number, user, authorityFile }: Display): NodeJS.ProcessEnv {
  return {
    PATH: shellEnvironment()['PATH'],
    DISPLAY: `:${number}`,
    // The server's own keys can be read by root only, and are needed where nobody is signed in.
    ...(user === undefined && authorityFile !== undefined && { XAUTHORITY: authorityFile }),
    ...user?.environment,
  };
}
