import type { HubConnection, IRetryPolicy } from '@microsoft/signalr';

import { delayOf } from './backoff.js';

/** State of the connection, as the pill in the top bar shows it. */
export type HubState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** Lost; the next attempt is due at `retryAt` (milliseconds). */
  | { readonly kind: 'reconnecting'; readonly retryAt: number }
  | { readonly kind: 'offline' };

/** Members that a line needs of the library's connection. */
export type LineConnection = Pick<HubConnection, 'start' | 'stop' | 'onclose' | 'onreconnected'>;

/** Callbacks of a line's owner. */
export interface LineUser<C extends LineConnection> {
  /** Makes a connection that comes back by the policy. */
  readonly build: (retryPolicy: IRetryPolicy) => Promise<C>;
  readonly onState: (state: HubState) => void;
  /** The connection has come back after a loss. */
  readonly onBack: () => void;
  /** The connection was lost, or the service refused its caller: the session may have ended. */
  readonly onDoubt: () => void;
}

/** True if the service refused a connection because nobody is signed in. The library has only words for it. */
const isUnauthorized = (error: unknown): boolean => error instanceof Error && error.message.includes("'401'");

/**
 * A connection to the hub that opens at once and comes back after every loss, until it is ended. An ended line reports nothing any more,
 * even if its connection still changes: another line may have taken its place.
 */
export class HubLine<C extends LineConnection> {
  private connection: C | null = null;
  private opening: Promise<void>;
  private hasEnded = false;
  private isLive = false;
  /** The library waits for its next attempt. */
  private isLibraryWaiting = false;
  /** Ends the wait for the next attempt of our own. */
  private endWait: (() => void) | null = null;

  constructor(private readonly user: LineUser<C>) {
    this.opening = this.open();
  }

  /** The connection, once it is there; null when the line was ended before. */
  async connected(): Promise<C | null> {
    await this.opening;
    return this.hasEnded ? null : this.connection;
  }

  /** Tries again now, if the connection is lost. */
  async tryNow(): Promise<void> {
    this.endWait?.();
    // The wait of the library ends with its connection only, which is then opened again.
    if (this.isLibraryWaiting) await this.connection?.stop();
  }

  /** Closes the connection for good. */
  async end(): Promise<void> {
    this.hasEnded = true;
    this.endWait?.();
    // A failure to close an unwanted connection does not matter.
    const stopping = this.connection?.stop().catch(() => undefined);
    // The library first waits for an attempt to connect that is under way, however long the service does not answer it.
    if (this.isLive) await stopping;
  }

  /** Attempts until it succeeds or the line is ended. The library is loaded by the first, which may fail like any other. */
  private async open(): Promise<void> {
    for (let attempt = 0; !this.hasEnded; attempt += 1) {
      this.become({ kind: 'connecting' });
      try {
        this.connection ??= await this.build();
        if (this.hasEnded) return;
        await this.connection.start();
        this.become({ kind: 'live' });
        return;
      } catch (error) {
        // The state tells of it.
        if (isUnauthorized(error)) this.doubt();
        await this.wait(delayOf(attempt));
      }
    }
  }

  private async build(): Promise<C> {
    const connection = await this.user.build({
      nextRetryDelayInMilliseconds: ({ previousRetryCount, retryReason }) => {
        this.isLibraryWaiting = true;
        if (previousRetryCount === 0 || isUnauthorized(retryReason)) this.doubt();
        const delay = delayOf(previousRetryCount);
        this.becomeLost(delay);
        return delay;
      },
    });
    connection.onreconnected(() => {
      this.isLibraryWaiting = false;
      this.become({ kind: 'live' });
      this.comeBack();
    });
    connection.onclose(() => {
      this.isLibraryWaiting = false;
      if (this.hasEnded) return;
      this.doubt();
      this.opening = this.open();
      void this.opening.then(() => this.comeBack());
    });
    return connection;
  }

  private doubt(): void {
    if (!this.hasEnded) this.user.onDoubt();
  }

  private comeBack(): void {
    if (!this.hasEnded) this.user.onBack();
  }

  private async wait(delay: number): Promise<void> {
    if (this.hasEnded) return;
    this.becomeLost(delay);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, delay);
      this.endWait = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.endWait = null;
  }

  private becomeLost(delay: number): void {
    this.become(navigator.onLine ? { kind: 'reconnecting', retryAt: Date.now() + delay } : { kind: 'offline' });
  }

  private become(state: HubState): void {
    this.isLive = state.kind === 'live';
    if (!this.hasEnded) this.user.onState(state);
  }
}
