import type RFB from '@novnc/novnc';
import type { RfbCredentials } from '@novnc/novnc';

import { ProblemError, problemOf } from '../../../problem/problem.js';
import { onDeviceUpdate, showDevices } from '../../device-feed.js';
import { isOnlineNow } from '../../device-state.js';
import { expectSuccess, invoke, isRefused, onHubBack } from '../../hub.js';
import { removeSession, type Session, sessionChanged, type SessionState } from '../sessions.js';
import { isFocusFree } from './focus-free.js';
import { lastPicture } from './last-picture.js';
import { Reconnection } from './reconnection.js';
import { newRelaySession } from './relay-session.js';
import type { RememberedScreen } from './screen-list.js';
import { t } from './texts.js';

const PERMISSION = 'device.vnc-relay.connect';

/** State of a screen's connection with its VNC server. */
type Connection =
  | { readonly kind: 'opening' }
  /** The server asks for credentials. */
  | { readonly kind: 'asking'; readonly types: readonly (keyof RfbCredentials)[] }
  | { readonly kind: 'open' }
  /** Lost; it comes back. */
  | { readonly kind: 'waiting'; readonly attempt: number; readonly most: number }
  /** Lost with its device; it comes back with that. */
  | { readonly kind: 'offline' }
  /** Nothing listens on the port. */
  | { readonly kind: 'absent'; readonly reason: string }
  | { readonly kind: 'failed'; readonly problem: ProblemError };

/** Loads the VNC client. Pages that are about to connect ask for it early. */
export const loadVnc = (): Promise<{ readonly default: typeof RFB }> => import('@novnc/novnc');

/** The screen of a device, by the VNC server that runs there. */
export class ScreenSession implements Session {
  readonly kind = 'screen';
  readonly id: string;
  readonly deviceId: string;
  readonly deviceName: string;
  readonly port: number;
  readonly host = document.createElement('div');
  connection: Connection = { kind: 'opening' };
  /** Last text from the device's clipboard; null before it has sent one. */
  deviceClipboard: string | null = null;
  /** True if the screen is scaled to its place; else a pixel there is a pixel here. */
  isFitted = true;
  /** True if the device gets no keys and no pointer. */
  isViewOnly = false;
  /** True once there was a picture, in this page or before its reload. */
  hasBeenOpen: boolean;

  private rfb: RFB | null = null;
  private readonly reconnection = new Reconnection({
    connect: () => this.connect(),
    onWaiting: (attempt, most) => this.become({ kind: 'waiting', attempt, most }),
    onOffline: () => this.become({ kind: 'offline' }),
    onFailed: (problem) => this.failWith(problem),
  });
  /** The canvas of the present connection; null before its picture. */
  private canvas: HTMLCanvasElement | null = null;
  /** The last picture of a lost connection. */
  private picture: HTMLElement | null = null;
  private readonly stops: (() => void)[];
  private hasEnded = false;

  constructor(
    { screenId, deviceId, deviceName, port }: RememberedScreen,
    private readonly publicUrl: string,
    private readonly onRemembered: () => void,
    wasOpen: boolean,
  ) {
    this.hasBeenOpen = wasOpen;
    this.id = screenId;
    this.deviceId = deviceId;
    this.deviceName = deviceName;
    this.port = port;
    this.stops = [
      showDevices([deviceId]),
      onDeviceUpdate(({ id, isOnline }) => {
        if (id === deviceId) this.follow(isOnline);
      }),
      onHubBack(() => {
        if (this.connection.kind === 'offline') void isOnlineNow(deviceId).then((isOnline) => this.follow(isOnline));
      }),
    ];
    this.host.style.position = 'relative';
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
      case 'offline':
        return 'waiting';
    }
  }

  get isListed(): boolean {
    return this.hasBeenOpen || this.state !== 'failed';
  }

  /** True if a picture can be seen: the present one, or the last one of a connection that comes back. */
  get hasPicture(): boolean {
    return this.connection.kind === 'open' || this.picture !== null;
  }

  /** State that the tab keeps over a reload. */
  get remembered(): RememberedScreen {
    const { id: screenId, deviceId, deviceName, port } = this;
    return { screenId, deviceId, deviceName, port };
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
    this.reconnection.reset();
    this.become({ kind: 'opening' });
    try {
      const test = await invoke('TestVncConnection2', { deviceId: this.deviceId, port: this.port });
      if (this.hasEnded) return;
      if (isRefused(test)) expectSuccess(test, PERMISSION, this.deviceId);
      if (test.isSuccess) await this.connect();
      else if (await this.isAway()) this.become({ kind: 'offline' });
      else this.become({ kind: 'absent', reason: test.reason ?? '' });
    } catch (error) {
      if (problemOf(error).status !== 403 && (await this.isAway())) this.become({ kind: 'offline' });
      else this.failWith(error);
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
    this.reconnection.stop();
    for (const stop of this.stops) stop();
    this.rfb?.disconnect();
    removeSession(this);
    this.onRemembered();
  };

  /** True if a screen that was there before lost its device. */
  private async isAway(): Promise<boolean> {
    return this.hasBeenOpen && !(await isOnlineNow(this.deviceId));
  }

  /** The device went or came. A screen that still arrives is left alone: it does not need the agent's line to the service. */
  private follow(isOnline: boolean): void {
    const { kind } = this.connection;
    if (kind === 'waiting' || kind === 'offline') this.reconnection.follow(isOnline, kind);
    else this.reconnection.follow(isOnline, kind === 'failed' && this.picture !== null ? 'failed' : 'other');
  }

  /** The relay answers once both sides are there, so this side waits at the relay before the device is asked for. */
  private async connect(): Promise<void> {
    const { default: Rfb } = await loadVnc();
    if (this.hasEnded) return;
    const { sessionId, requesterUri, responderUri } = newRelaySession(location.origin, this.publicUrl);
    const socket = new WebSocket(requesterUri);
    const rfb = new Rfb(this.host, socket, { shared: true });
    this.reconnection.begin();
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
      this.reconnection.opened();
      this.dropPicture();
      this.canvas = this.host.querySelector('canvas');
      this.become({ kind: 'open' });
      this.hasBeenOpen = true;
      this.onRemembered();
      if (isFocusFree()) rfb.focus();
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
    this.keepPicture();
    if (this.reconnection.isFirst && !this.hasBeenOpen) this.failWith(new ProblemError(409, { detail: t('closed') }));
    else this.reconnection.lost();
  }

  /** Shows the last picture of the lost connection, dimmed. */
  private keepPicture(): void {
    if (this.canvas === null) return;
    this.dropPicture();
    this.picture = lastPicture(this.canvas, this.isFitted);
    this.canvas = null;
    this.host.append(this.picture);
  }

  private dropPicture(): void {
    this.picture?.remove();
    this.picture = null;
  }

  private applySettings(): void {
    if (this.rfb !== null) {
      this.rfb.scaleViewport = this.isFitted;
      this.rfb.viewOnly = this.isViewOnly;
    }
    sessionChanged();
  }

  private failWith(error: unknown): void {
    const problem = problemOf(error);
    // Without the right, not even the past may be seen.
    if (problem.status === 403) {
      this.canvas = null;
      this.dropPicture();
    }
    this.become({ kind: 'failed', problem });
  }

  private become(connection: Connection): void {
    if (this.hasEnded) return;
    this.connection = connection;
    sessionChanged();
  }
}
