import { ProblemError, problemOf } from '../../../problem/problem.js';
import { ATTEMPT_DELAY, MOST_AFTER_RETURN, MOST_ATTEMPTS, nextAttempt } from './reconnecting.js';
import { t } from './texts.js';

/** The session that comes back. */
interface ReconnectedSession {
  readonly connect: () => Promise<void>;
  /** The next attempt is `attempt` of `most`. */
  readonly onWaiting: (attempt: number, most: number) => void;
  /** There is no attempt before the device is back. */
  readonly onOffline: () => void;
  readonly onFailed: (problem: ProblemError) => void;
}

/** Brings a lost session back, in attempts one after another. */
export class Reconnection {
  private attempts = 0;
  /** Attempts until it gives up. */
  private most = MOST_ATTEMPTS;
  /** Reason of the last failed attempt that gave one. */
  private lastReason: string | null = null;
  /** Time at which the present connection opened; 0 before. */
  private openedAt = 0;
  private isDeviceOnline = true;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly session: ReconnectedSession) {}

  /** True if the connection has not opened, and there was none before it. */
  get isFirst(): boolean {
    return this.openedAt === 0 && this.attempts === 0;
  }

  /** Counts the attempts from the start again, for a connection that the user asks for. */
  reset(): void {
    this.stop();
    this.attempts = 0;
    this.most = MOST_ATTEMPTS;
    this.lastReason = null;
  }

  /** A connection is being made. */
  begin(): void {
    this.openedAt = 0;
  }

  opened(): void {
    this.openedAt = Date.now();
    this.lastReason = null;
    this.most = MOST_ATTEMPTS;
  }

  /** The connection is lost, or did not come about. */
  lost(): void {
    this.tryAgain(this.openedAt === 0 ? 0 : Date.now() - this.openedAt);
  }

  /**
   * The device is online, or is not. A session that waits for its next attempt then waits for the device; one that is `offline` comes back with
   * it. One that has `failed` comes back only if the device was away: each sign of life of a device tells that it is online.
   */
  follow(isOnline: boolean, state: 'waiting' | 'offline' | 'failed' | 'other'): void {
    const hasCome = isOnline && !this.isDeviceOnline;
    this.isDeviceOnline = isOnline;
    if (!isOnline && state === 'waiting') {
      this.stop();
      this.session.onOffline();
    } else if (isOnline && (state === 'offline' || (state === 'failed' && hasCome))) {
      // Its desktop may come later than its agent.
      this.most = MOST_AFTER_RETURN;
      this.attempts = 0;
      this.tryAgain(0);
    }
  }

  /** Makes no further attempt, also if one that is being made fails. */
  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private tryAgain(lasted: number): void {
    const attempt = nextAttempt(this.attempts, lasted, this.most);
    if (!this.isDeviceOnline) return this.session.onOffline();
    if (attempt === null) {
      const detail = this.lastReason === null ? t('gave-up') : t('gave-up-reason', { reason: this.lastReason });
      return this.session.onFailed(new ProblemError(409, { detail }));
    }
    this.attempts = attempt;
    this.session.onWaiting(attempt, this.most);
    const timer = setTimeout(() => {
      this.session.connect().catch((error: unknown) => {
        if (this.timer !== timer) return undefined;
        const problem = problemOf(error);
        if (problem.status === 403) return this.session.onFailed(problem);
        this.lastReason = problem.message;
        return this.tryAgain(0);
      });
    }, ATTEMPT_DELAY);
    this.timer = timer;
  }
}
