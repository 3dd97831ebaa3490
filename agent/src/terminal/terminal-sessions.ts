import type { TerminalInputDto } from '#libs/contracts';
import { RefusedError } from '../failures.js';
import type { Log } from '../logs/log.js';
import { TerminalSession, type SendOutput } from './terminal-session.js';

/** Most sessions; each is a process of its own. */
const MAX_SESSIONS = 32;
const DEFAULT_IDLE_MS = 10 * 60 * 1000;

interface Entry {
  readonly session: TerminalSession;
  readonly idleTimer: NodeJS.Timeout;
}

/** The terminals of this device. A session ends when it is closed, or after ten minutes without input. */
export class TerminalSessions {
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly sendOutput: SendOutput,
    private readonly log: Log,
    private readonly idleMs: number = DEFAULT_IDLE_MS,
  ) {}

  get size(): number {
    return this.entries.size;
  }

  /** Starts the session. An existing one is bound to this viewer. */
  async create(terminalId: string, viewerConnectionId: string): Promise<void> {
    const session = this.obtain(terminalId, viewerConnectionId);
    session.bind(viewerConnectionId);
    await this.orForget(terminalId, session);
  }

  /** Passes input to its session, which is created if it does not exist. */
  async input(dto: TerminalInputDto): Promise<void> {
    await this.obtain(dto.terminalId, dto.viewerConnectionId ?? '').input(dto);
  }

  /** The directory that the session is in; undefined when there is no such session. */
  directoryOf(terminalId: string): string | undefined {
    return this.entries.get(terminalId)?.session.directory;
  }

  close(terminalId: string): void {
    const entry = this.entries.get(terminalId);
    if (entry === undefined) return;
    clearTimeout(entry.idleTimer);
    this.entries.delete(terminalId);
    entry.session.close();
  }

  closeAll(): void {
    for (const terminalId of this.entries.keys()) this.close(terminalId);
  }

  private obtain(terminalId: string, viewerConnectionId: string): TerminalSession {
    const known = this.entries.get(terminalId);
    if (known !== undefined) {
      known.idleTimer.refresh();
      return known.session;
    }
    if (this.entries.size >= MAX_SESSIONS) throw new RefusedError('Too many terminal sessions are open on the device.');
    const idleTimer = setTimeout(() => {
      // A session whose shell is still starting is not idle.
      if (session.isBusy) idleTimer.refresh();
      else this.close(terminalId);
    }, this.idleMs).unref();
    const session: TerminalSession = new TerminalSession(terminalId, viewerConnectionId, this.sendOutput, this.log, () =>
      idleTimer.refresh(),
    );
    this.entries.set(terminalId, { session, idleTimer });
    return session;
  }

  private async orForget(terminalId: string, session: TerminalSession): Promise<void> {
    try {
      await session.open();
    } catch (error) {
      // By now it may be closed, and a newer one may have its id.
      if (this.entries.get(terminalId)?.session === session) this.close(terminalId);
      throw error;
    }
  }
}
