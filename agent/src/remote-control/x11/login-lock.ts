import { existsSync } from 'node:fs';
import { runCommand, type RunCommand } from '../../commands.js';
import { messageOf } from '../../failures.js';

/** The login manager is asked after changes of the screen, at most so often. */
const PAUSE_MS = 5_000;
/** There while systemd runs the machine. */
const SYSTEMD = '/run/systemd/system';

/** Lock of a display's session as the login manager has it. GNOME, KDE Plasma and others tell it when they lock the screen. */
export class LoginLock {
  isLocked = false;
  private readonly listeners: (() => void)[] = [];
  private timer: NodeJS.Timeout | undefined;
  private isStopped = false;

  constructor(
    /** Such as `:0`. */
    private readonly display: string,
    private readonly log: (line: string) => void,
    private readonly run: RunCommand = runCommand,
    private readonly pauseMs = PAUSE_MS,
    isThere = existsSync(SYSTEMD),
  ) {
    this.isStopped = !isThere;
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Reads the lock soon: something on the screen has changed. */
  look(): void {
    if (this.isStopped) return;
    this.timer ??= setTimeout(() => {
      void this.read().then(() => (this.timer = undefined));
    }, this.pauseMs).unref();
  }

  async read(): Promise<void> {
    if (this.isStopped) return;
    const before = this.isLocked;
    try {
      this.isLocked = await this.ask();
    } catch (error) {
      this.stop();
      this.log(`The lock of the screen is not known from the login manager: ${messageOf(error)}`);
    }
    if (this.isLocked !== before) for (const listener of this.listeners) listener();
  }

  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  private async ask(): Promise<boolean> {
    const listed = await this.run(['loginctl', 'list-sessions', '--no-legend', '--no-pager']);
    const ids = listed.split('\n').flatMap((line) => line.trim().split(/\s+/)[0] || []);
    if (ids.length === 0) return false;
    const shown = await this.run(['loginctl', 'show-session', '--no-pager', '-p', 'Display', '-p', 'LockedHint', ...ids]);
    return shown.split(/\n{2,}/).some((session) => {
      const lines = session.split('\n');
      return lines.includes(`Display=${this.display}`) && lines.includes('LockedHint=yes');
    });
  }
}
