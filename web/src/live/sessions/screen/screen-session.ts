import type RFB from '@novnc/novnc';
import type { RfbCredentials } from '@novnc/novnc';

import { ProblemError, problemOf } from '../../../problem/problem.js';
import { expectSuccess, invoke, isRefused } from '../../hub.js';
import { newId } from '../new-id.js';
import { removeSession, type Session, sessionChanged, type SessionState } from '../sessions.js';
import { ATTEMPT_DELAY, nextAttempt } from './reconnecting.js';
import { newRelaySession } from './relay-session.js';
import { t } from './texts.js';

const PERMISSION = 'device.vnc-relay.connect';

/** State of a screen's connection with its VNC server. */
type Connection =
  | { readonly kind: 'opening' }
  /** The server asks for credentials. */
  | { readonly kind: 'asking'; readonly types: readonly (keyof RfbCredentials)[] }
  | { readonly kind: 'open' }
  /** Lost; it comes back. */
  | { readonly kind: 'waiting'; readonly attempt: number }
  /** Nothing listens on the port. */
  | { readonly kind: 'absent'; readonly reason: string }
  | { readonly kind: 'failed'; readonly problem: ProblemError };

/** Loads the VNC client. Pages that are about to connect ask for it early. */
export const loadVnc = (): Promise<{ readonly default: typeof RFB }> => import('@novnc/novnc');

/** The screen of a device, by the VNC server that runs there. */
export class ScreenSession implements Session {
  readonly kind = 'screen';
  readonly id = newId();
  readonly host = document.createElement('div');
  connection: Connection = { kind: 'opening' };
  /** Last text from the device's clipboard; null before it has sent one. */
  deviceClipboard: string | null = null;
  /** True if the screen is scaled to its place; else a pixel there is a pixel here. */
  isFitted = true;
  /** True if the device gets no keys and no pointer. */
  isViewOnly = false;

  private rfb: RFB | null = null;
  private attempts = 0;
  /** Reason of the last failed attempt that gave one. */
  private lastReason: string | null = null;
  /** Time at which the present connection opened; 0 before. */
  private openedAt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private hasEnded = false;

  constructor(
    readonly deviceId: string,
    readonly deviceName: string,
    readonly port: number,
    private readonly publicUrl: string,
  ) {
    this.host.style.width = '100%';
    this.host.style.height = '100%';
    this.host.dataset.ownKeys = '';
    void this.start();
  }

  get label(): string {
    return t('screen-port', { port: String(this.port) });
  }

  get href(): string {
    return `/devices/${this.deviceId}/screen?port=${this.port}`;
  }

  get state(): SessionState {
    switch (this.connection.kind) {
      case 'open':
        return 'running';
      case 'absent':
      case 'failed':
        return 'failed';
      case 'opening':
      case 'asking':
      case 'waiting':
        return 'waiting';
    }
  }

  toggleFit(): void {
    this.isFitted = !this.isFitted;
    this.applySettings();
  }

  toggleViewOnly(): void {
    this.isViewOnly = !this.isViewOnly;
    this.applySettings();
  }

  /** Checks that the server is there, and connects. */
  async start(): Promise<void> {
    clearTimeout(this.timer);
    this.attempts = 0;
    this.lastReason = null;
    this.become({ kind: 'opening' });
    try {
      const test = await invoke('TestVncConnection2', { deviceId: this.deviceId, port: this.port });
      if (this.hasEnded) return;
      if (isRefused(test)) expectSuccess(test, PERMISSION, this.deviceId);
      if (test.isSuccess) await this.connect();
      else this.become({ kind: 'absent', reason: test.reason ?? '' });
    } catch (error) {
      this.failWith(error);
    }
  }

  signIn(credentials: RfbCredentials): void {
    this.become({ kind: 'opening' });
    this.rfb?.sendCredentials(credentials);
  }

  pressCtrlAltDel(): void {
    this.rfb?.sendCtrlAltDel();
    this.focus();
  }

  sendClipboard(text: string): void {
    this.rfb?.clipboardPasteFrom(text);
  }

  focus(): void {
    this.rfb?.focus();
  }

  end = (): void => {
    if (this.hasEnded) return;
    this.hasEnded = true;
    clearTimeout(this.timer);
    this.rfb?.disconnect();
    removeSession(this);
  };

  /** The relay answers once both sides are there, so this side waits at the relay before the device is asked for. */
  private async connect(): Promise<void> {
    const { default: Rfb } = await loadVnc();
    if (this.hasEnded) return;
    const { sessionId, requesterUri, responderUri } = newRelaySession(location.origin, this.publicUrl);
    const socket = new WebSocket(requesterUri);
    const rfb = new Rfb(this.host, socket, { shared: true });
    this.openedAt = 0;
    this.use(rfb);
    try {
      const asked = await invoke('RequestVncSession2', {
        sessionId,
        websocketUri: responderUri,
        viewerConnectionId: '',
        deviceId: this.deviceId,
        notifyUserOnSessionStart: false,
        port: this.port,
        viewerName: null,
      });
      expectSuccess(asked, PERMISSION, this.deviceId);
    } catch (error) {
      // The loss of the relay is already being handled.
      if (this.rfb !== rfb) return;
      this.rfb = null;
      rfb.disconnect();
      throw error;
    }
  }

  private use(rfb: RFB): void {
    this.rfb = rfb;
    this.applySettings();
    const on: RFB['addEventListener'] = (name, listener) =>
      rfb.addEventListener(name, (event) => {
        // Late events of an earlier connection are ignored.
        if (this.rfb === rfb && !this.hasEnded) listener(event);
      });
    on('connect', () => {
      this.openedAt = Date.now();
      this.lastReason = null;
      this.become({ kind: 'open' });
      rfb.focus();
    });
    on('credentialsrequired', ({ detail: { types } }) => this.become({ kind: 'asking', types }));
    // The agent connects to the server on the same device, so that nobody in between could present another key.
    on('serververification', () => rfb.approveServer());
    on('securityfailure', ({ detail: { reason } }) => {
      this.rfb = null;
      this.failWith(new ProblemError(409, { detail: reason === undefined ? t('refused-plain') : t('refused', { reason }) }));
    });
    on('clipboard', ({ detail: { text } }) => {
      this.deviceClipboard = text;
      sessionChanged();
    });
    on('disconnect', () => this.lose());
  }

  /** The connection is gone: it comes back, unless the screen never came at all. */
  private lose(): void {
    this.rfb = null;
    if (this.openedAt === 0 && this.attempts === 0) this.failWith(new ProblemError(409, { detail: t('closed') }));
    else this.tryAgain(this.openedAt === 0 ? 0 : Date.now() - this.openedAt);
  }

  private tryAgain(lasted: number): void {
    const attempt = nextAttempt(this.attempts, lasted);
    if (attempt === null) {
      const detail = this.lastReason === null ? t('gave-up') : t('gave-up-reason', { reason: this.lastReason });
      return this.failWith(new ProblemError(409, { detail }));
    }
    this.attempts = attempt;
    this.become({ kind: 'waiting', attempt });
    this.timer = setTimeout(() => {
      this.connect().catch((error: unknown) => {
        const problem = problemOf(error);
        if (problem.status === 403) return this.failWith(problem);
        this.lastReason = problem.message;
        this.tryAgain(0);
      });
    }, ATTEMPT_DELAY);
  }

  private applySettings(): void {
    if (this.rfb !== null) {
      this.rfb.scaleViewport = this.isFitted;
      this.rfb.viewOnly = this.isViewOnly;
    }
    sessionChanged();
  }

  private failWith(error: unknown): void {
    this.become({ kind: 'failed', problem: problemOf(error) });
  }

  private become(connection: Connection): void {
    if (this.hasEnded) return;
    this.connection = connection;
    sessionChanged();
  }
}
