import type { IPty } from '@lydell/node-pty';

/**
 * Closes the terminal of a shell, and tells the shell so. One that does not listen to that can no longer read from its terminal, and ends
 * when it tries to; a command that it runs goes on until then.
 */
export function endShell(pty: IPty & { destroy?(): void }): void {
  // The package has it on all systems, but does not name it in its types.
  if (process.platform === 'win32' || pty.destroy === undefined) pty.kill();
  else pty.destroy();
}
