import { shellEnvironment } from '../terminal/shells.js';
import type { Display } from './displays.js';

/** Returns true if this process can start programs under other accounts. */
export function maySwitchAccounts(): boolean {
  return process.getuid?.() === 0;
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
