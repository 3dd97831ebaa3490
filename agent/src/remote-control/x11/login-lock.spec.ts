import { describe, expect, it, vi } from 'vitest';
import { CommandError, type Command } from '../../commands.js';
import { LoginLock } from './login-lock.js';

const LISTED = '     2 1000 anna seat0 tty2\n    c1  112 gdm  seat0 tty1\n     7 1001 ben        pts/0\n';
const PAUSE_MS = 10;
const unexpected = (line: string): void => expect.fail(line);

/** Sessions as `loginctl show-session` prints them. */
const shown = (isLocked: boolean): string =>
  `Display=:1\nLockedHint=${isLocked ? 'yes' : 'no'}\n\nDisplay=:0\nLockedHint=yes\n\nDisplay=\nLockedHint=no\n`;

describe('the lock that the login manager knows', () => {
  it('is that of the session with the display', async () => {
    const asked: Command[] = [];
    const run = async (command: Command): Promise<string> => {
      asked.push(command);
      return Promise.resolve(command.includes('list-sessions') ? LISTED : shown(true));
    };
    const states = await Promise.all(
      [':0', ':1', ':10', ''].map(async (display) => {
        const lock = new LoginLock(display, unexpected, run, PAUSE_MS, true);
        await lock.read();
        return lock.isLocked;
      }),
    );
    expect(states).toEqual([true, true, false, false]);
    expect(asked.find((command) => command.includes('show-session'))?.slice(-3)).toEqual(['2', 'c1', '7']);
  });

  it('is read after a change of the screen, once for several, and told when it is another', async () => {
    let isLocked = false;
    const run = vi.fn(async ([, task]: Command) => Promise.resolve(task === 'list-sessions' ? LISTED : shown(isLocked)));
    const lock = new LoginLock(':1', unexpected, run, PAUSE_MS, true);
    const told: boolean[] = [];
    lock.onChange(() => told.push(lock.isLocked));
    await lock.read();
    const { length } = run.mock.calls;
    isLocked = true;
    for (let change = 0; change < 100; change += 1) lock.look();
    await vi.waitUntil(() => told.length > 0);
    expect([told, run.mock.calls.length]).toEqual([[true], length + 2]);
    isLocked = false;
    await vi.waitUntil(() => {
      lock.look();
      return told.length > 1;
    });
    lock.stop();
    lock.look();
    expect(told).toEqual([true, false]);
  });

  it('is not asked for again where the login manager does not answer, and never where there is none', async () => {
    const run = vi.fn(async () => Promise.reject(new CommandError('loginctl failed: Host is down')));
    const lines: string[] = [];
    const silent = new LoginLock(':0', (line) => lines.push(line), run, PAUSE_MS, true);
    await silent.read();
    await silent.read();
    await new LoginLock(':0', unexpected, run, PAUSE_MS, false).read();
    expect([silent.isLocked, run.mock.calls.length, lines]).toEqual([
      false,
      1,
      ['The lock of the screen is not known from the login manager: loginctl failed: Host is down'],
    ]);
  });
});
