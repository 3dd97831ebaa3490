import type { Display, MessageValue } from '#libs/desktop-stream';

import { devicePermissionsQuery } from '../../../api/devices/device-permissions.js';
import { queryClient } from '../../../api/queries.js';
import { missingOnDevice } from '../../../problem/missing.js';
import { ProblemError, problemOf } from '../../../problem/problem.js';
import { store } from '../../../state/store.js';
import { toast, toastProblem } from '../../../ui/toast/toasts.js';
import { onDeviceUpdate, showDevices } from '../../device-feed.js';
import { isOnlineNow } from '../../device-state.js';
import { expectSuccess, invoke, onHubBack } from '../../hub.js';
import { isFocusFree } from '../screen/focus-free.js';
import { Reconnection } from '../screen/reconnection.js';
import { newRelaySession } from '../screen/relay-session.js';
import { removeSession, type Session, sessionChanged, type SessionState } from '../sessions.js';
import { DesktopClipboard } from './clipboard.js';
import type { ClipboardRights } from './clipboard-sync.js';
import { cursorPicture, cursorStyle } from './cursor.js';
import type { RememberedDesktop } from './desktop-list.js';
import { onlyDesktop, showsDisplay, showsNothing } from './display-windows.js';
import type { PointerMode } from './input/gestures.js';
import type { Keyboard } from './input/keyboard.js';
import { Surface } from './input/surface.js';
import { captureSettings, type Quality } from './quality.js';
import { DesktopRecorder } from './recording/desktop-recorder.js';
import type { Zoom } from './shown-size.js';
import { t } from './texts.js';
import { Viewport } from './viewport.js';
import type { CaptureSettings, Figures, FromWorker, PageMessage, ViewerMessage } from './worker/messages.js';
import { type DesktopWorker, startWorker } from './worker/start-worker.js';

const CONNECT = 'device.remote-control.connect';
const SESSION_TYPES = { Console: 0, Rdp: 1 } as const;
/** Severities of a sentence from the device, from which on it is a problem. */
const WARNING = 1;

/** Time in which a side that has failed closes the line, in milliseconds. */
const CLOSE_MS = 2000;

/** The reason for which the other side has ended the session. */
type EndReason = 'by-person' | 'windows-ending' | 'windows-switched';

/** State of the connection with a desktop. */
export type DesktopConnection =
  | { readonly kind: 'opening' }
  /** The device has accepted and comes to the relay, once the person there agrees if they are asked. */
  | { readonly kind: 'joining' }
  | { readonly kind: 'open' }
  /** Lost; it comes back. */
  | { readonly kind: 'waiting'; readonly attempt: number; readonly most: number }
  /** Lost with its device; it comes back with that. */
  | { readonly kind: 'offline' }
  | { readonly kind: 'ended'; readonly reason: EndReason }
  | { readonly kind: 'failed'; readonly problem: ProblemError };

/** The permissions of the user on the desktop, beyond seeing it. */
export interface DesktopRights extends ClipboardRights {
  readonly interact: boolean;
}

const RIGHTS = ['interact', 'reads', 'writes'] as const satisfies readonly (keyof DesktopRights)[];
type Right = (typeof RIGHTS)[number];

/** A desktop of a device, seen and controlled through its agent. */
export class DesktopSession implements Session {
  readonly kind = 'screen';
  readonly id: string;
  readonly deviceId: string;
  readonly deviceName: string;
  connection: DesktopConnection = { kind: 'opening' };
  displays: readonly Display[] = [];
  shown: Display | null = null;
  /** True if there is a picture, of now or of before. */
  hasPicture = false;
  /** True once there was a picture, in this page or before its reload. */
  hasBeenOpen: boolean;
  /** Figures of the last second, apart from the rest: they change all the time. */
  readonly figures = store<Figures | null>(null, 'stays');

  /** True if the person at the device cannot use mouse and keyboard. */
  blocksInput = false;
  /** True if the screen of the device is blank for the person there. */
  isPrivate = false;
  /** The clipboards of both sides. */
  readonly clipboard: DesktopClipboard;

  /** Pointer and keyboards of the user. */
  readonly surface: Surface;
  /** Records the desktop. */
  readonly recorder: DesktopRecorder;

  private readonly viewport: Viewport;
  private readonly worker: DesktopWorker;
  /** The rights of the user; null until they are known. */
  private held: readonly Right[] | null = null;
  /** Those that count in the present connection: one that ends in it does not come back, and one that is granted during it is not known there. */
  private counted: readonly Right[] | null = null;
  private wantsViewOnly = false;
  private wantedQuality: Quality = 'automatic';
  /** True if the device was asked to send what is copied there. */
  private takesClipboard = false;
  private sessionId = '';
  private readonly reconnection = new Reconnection({
    connect: () => this.connect(),
    onWaiting: (attempt, most) => this.become({ kind: 'waiting', attempt, most }),
    onOffline: () => this.become({ kind: 'offline' }),
    onFailed: (problem) => this.failWith(problem),
  });
  private endReason: EndReason | null = null;
  /** Sentence of the other side about a failure after which it closes. */
  private failure: string | null = null;
  private readonly stops: (() => void)[];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private hasEnded = false;
  private onPicture: ((picture: Blob | null) => void)[] = [];

  constructor(
    private readonly begun: RememberedDesktop,
    private readonly publicUrl: string,
    private readonly onRemembered: () => void,
    wasOpen: boolean,
  ) {
    const { desktopId, deviceId, deviceName } = begun;
    this.id = desktopId;
    this.deviceId = deviceId;
    this.deviceName = deviceName;
    this.hasBeenOpen = wasOpen;
    this.viewport = new Viewport(t('picture', { name: deviceName }), t('keyboard-field', { name: deviceName }));
    this.worker = startWorker((message) => this.hear(message));
    const canvas = this.viewport.handOver();
    this.worker.tell({ kind: 'canvas', canvas }, [canvas]);
    this.recorder = new DesktopRecorder({
      deviceId,
      deviceName,
      canvas: this.viewport.canvas,
      redraw: () => this.worker.tell({ kind: 'redraw' }),
      isOpen: () => this.isOpen,
      sessionId: () => this.sessionId,
      onChange: sessionChanged,
    });
    this.surface = new Surface({
      viewport: this.viewport,
      isOpen: () => this.takesInput,
      send: (message) => this.send(message),
      move: ({ x, y }) => this.worker.tell({ kind: 'move', x, y }),
      onLeave: () => this.onLeave?.(),
      onFocus: () => void this.clipboard.sync.meet(),
      pasteFor: () => (this.clipboard.sync.gives ? (text) => this.clipboard.sync.pasted(text) : null),
      onChange: sessionChanged,
    });
    this.clipboard = new DesktopClipboard({
      send: (message) => this.send(message),
      sessionId: () => this.sessionId,
      takesInput: () => this.takesInput,
      isInFront: () => this.isOpen && this.host.isConnected && document.hasFocus(),
      onChange: () => {
        if (this.clipboard.sync.takes !== this.takesClipboard) this.sendSettings();
        sessionChanged();
      },
    });
    this.stops = [
      showDevices([deviceId]),
      onDeviceUpdate(({ id, isOnline }) => {
        if (id === deviceId) this.follow(isOnline);
      }),
      onHubBack(() => {
        if (this.connection.kind === 'offline') void isOnlineNow(deviceId).then((isOnline) => this.follow(isOnline));
      }),
    ];
    void this.start();
  }

  /** Gives the focus to something outside of the picture. The panel sets it. */
  onLeave: (() => void) | null = null;

  /** State that the tab keeps over a reload. */
  get remembered(): RememberedDesktop {
    return { ...this.begun, displayId: this.shown?.displayId ?? this.begun.displayId };
  }

  /** True in a window of its own that records nothing: it can be opened again from the page of the device. */
  get isKeptElsewhere(): boolean {
    return onlyDesktop() !== null && this.recorder.recording === null;
  }

  get host(): HTMLElement {
    return this.viewport.host;
  }

  get label(): string {
    const { username, name } = this.remembered;
    return t('label', { name: username === '' ? name : username });
  }

  get href(): string {
    return `/devices/${this.deviceId}/screen`;
  }

  get state(): SessionState {
    switch (this.connection.kind) {
      case 'open':
        return 'running';
      case 'failed':
        return 'failed';
      case 'ended':
        return 'done';
      case 'opening':
      case 'joining':
      case 'waiting':
      case 'offline':
        return 'waiting';
    }
  }

  get isListed(): boolean {
    return this.hasBeenOpen || this.state !== 'failed';
  }

  /** True if the device gets no keys and no pointer. */
  get isViewOnly(): boolean {
    return this.wantsViewOnly || this.held?.includes('interact') !== true;
  }

  get zoom(): Zoom {
    return this.viewport.zoom;
  }

  get quality(): Quality {
    return this.wantedQuality;
  }

  /** Takes the permissions of the user, when they become known or change. One that does not count in the present connection needs another. */
  allow(rights: DesktopRights, userId: string): void {
    const wasViewOnly = this.isViewOnly;
    const isOther = rights.interact !== this.held?.includes('interact');
    this.held = RIGHTS.filter((right) => rights[right]);
    this.counted = (this.counted ?? this.held).filter((right) => rights[right]);
    if (isOther) {
      // The service has released on the device what was down.
      if (this.isViewOnly) this.surface.release();
      this.viewOnlyChanged(wasViewOnly);
    }
    this.clipboard.sync.allow(rights, userId);
    if (!this.isOpen || this.counted.length === this.held.length) return;
    this.worker.tell({ kind: 'disconnect' });
    void this.start();
  }

  toggleViewOnly(): void {
    const wasViewOnly = this.isViewOnly;
    if (!this.wantsViewOnly) this.surface.release();
    this.wantsViewOnly = !this.wantsViewOnly;
    this.viewOnlyChanged(wasViewOnly);
  }

  toggleZoom(): void {
    this.viewport.zoom = this.zoom === 'fit' ? 'actual' : 'fit';
    sessionChanged();
  }

  /** The way in which fingers move the pointer. */
  get pointerMode(): PointerMode {
    return this.surface.touch.mode;
  }

  togglePointerMode(): void {
    this.surface.touch.mode = this.pointerMode === 'touch' ? 'trackpad' : 'touch';
    sessionChanged();
  }

  choose(quality: Quality): void {
    this.wantedQuality = quality;
    this.sendSettings();
    sessionChanged();
  }

  show(displayId: string): void {
    this.surface.release();
    this.worker.tell({ kind: 'show', displayId });
    this.focus();
  }

  /** Connects: at first, and again after it has ended. */
  async start(): Promise<void> {
    clearTimeout(this.timer);
    this.reconnection.reset();
    try {
      await this.connect();
    } catch (error) {
      if (problemOf(error).status !== 403 && this.hasBeenOpen && !(await isOnlineNow(this.deviceId))) this.become({ kind: 'offline' });
      else this.failWith(error);
    }
  }

  async pressCtrlAltDel(): Promise<void> {
    const { processId, type } = this.remembered;
    const dto = { deviceId: this.deviceId, targetDesktopProcessId: processId, desktopSessionType: SESSION_TYPES[type] };
    try {
      expectSuccess(await invoke('InvokeCtrlAltDel2', dto), 'device.ctrl-alt-del.send', this.deviceId);
    } catch (error) {
      toastProblem(error);
    }
    this.focus();
  }

  /** Presses keys that the browser keeps to itself. */
  press(keys: Parameters<Keyboard['chord']>[0]): void {
    this.surface.keyboard.chord(keys);
    this.focus();
  }

  /** Blocks mouse and keyboard of the person at the device, or gives them back. */
  toggleBlockInput(): void {
    this.send({ name: 'ToggleBlockInput', value: { isEnabled: !this.blocksInput } });
  }

  /** Blanks the screen of the device for the person there, or shows it again. */
  togglePrivacy(): void {
    this.send({ name: 'TogglePrivacyScreen', value: { isEnabled: !this.isPrivate } });
  }

  focus(): void {
    this.surface.focus();
  }

  /** The picture as a PNG file; null before there is one. */
  async takePicture(): Promise<Blob | null> {
    return new Promise((resolve) => {
      this.onPicture.push(resolve);
      this.worker.tell({ kind: 'picture' });
    });
  }

  end = (): void => {
    if (this.hasEnded) return;
    this.surface.release();
    this.recorder.stop('session');
    if (onlyDesktop() === this.id) showsNothing();
    this.hasEnded = true;
    clearTimeout(this.timer);
    this.reconnection.stop();
    for (const stop of this.stops) stop();
    this.worker.tell({ kind: 'end' });
    this.surface.close();
    this.viewport.close();
    removeSession(this);
    this.onRemembered();
  };

  private get isOpen(): boolean {
    return this.connection.kind === 'open' && !this.hasEnded;
  }

  private get takesInput(): boolean {
    return this.isOpen && !this.isViewOnly;
  }

  private send(message: ViewerMessage): void {
    this.worker.tell({ kind: 'send', message });
  }

  private sendSettings(): void {
    this.worker.tell({ kind: 'settings', settings: this.settings() });
  }

  private settings(): CaptureSettings {
    this.takesClipboard = this.clipboard.sync.takes;
    return captureSettings(this.wantedQuality, this.isViewOnly, this.takesClipboard);
  }

  private viewOnlyChanged(wasViewOnly: boolean): void {
    // The pointer of the device is part of the picture only for those who do not move it.
    if (wasViewOnly !== this.isViewOnly) this.sendSettings();
    if (this.isViewOnly) this.viewport.cursor = 'default';
    this.surface.touch.showPointer();
    sessionChanged();
  }

  /** The device went or came. A desktop that still arrives is left alone: it does not need the agent's line to the service. */
  private follow(isOnline: boolean): void {
    const { kind } = this.connection;
    this.reconnection.follow(isOnline, kind === 'waiting' || kind === 'offline' ? kind : 'other');
  }

  private async connect(): Promise<void> {
    this.become({ kind: 'opening' });
    this.endReason = null;
    this.failure = null;
    this.reconnection.begin();
    this.counted = this.held;
    // The device gives both back when a session ends.
    this.blocksInput = false;
    this.isPrivate = false;
    const { sessionId, requesterUri, responderUri } = newRelaySession(location.origin, this.publicUrl);
    this.sessionId = sessionId;
    const { processId, systemSessionId, asksFirst } = this.remembered;
    const asked = await invoke('RequestRemoteControlSession2', {
      sessionId,
      websocketUri: responderUri,
      targetSystemSession: systemSessionId,
      targetProcessId: processId,
      deviceId: this.deviceId,
      notifyUserOnSessionStart: false,
      requireConsent: asksFirst,
      viewerConnectionId: null,
      viewerName: null,
    });
    if (this.hasEnded) return;
    expectSuccess(asked, CONNECT, this.deviceId);
    this.become({ kind: 'joining' });
    const displayId = this.remembered.displayId ?? null;
    this.worker.tell({ kind: 'connect', line: { address: requesterUri, settings: this.settings(), displayId } });
  }

  private hear(message: FromWorker): void {
    if (message.kind === 'picture') this.onPicture.shift()?.(message.picture);
    if (this.hasEnded) return;
    switch (message.kind) {
      case 'opened':
        return this.reconnection.opened();
      case 'displays':
        return this.takeDisplays(message.displays, message.shown);
      case 'drawn':
        // The line may have ended while its first picture was on the way to this page.
        if (this.connection.kind !== 'joining') return;
        this.hasPicture = true;
        this.hasBeenOpen = true;
        this.become({ kind: 'open' });
        this.onRemembered();
        void this.recorder.resumed();
        if (isFocusFree()) this.focus();
        return void this.clipboard.sync.meet();
      case 'received':
        return this.take(message.message);
      case 'figures':
        return this.figures.set(message.figures);
      case 'closed':
        return this.lose(message);
      case 'picture':
    }
  }

  private takeDisplays(displays: readonly Display[], shown: Display | null): void {
    const before = this.shown;
    this.displays = displays;
    this.shown = shown;
    if (shown !== null) this.viewport.show(shown.capturePixelSize);
    if (before !== null && shown !== null && !displays.some(({ displayId }) => displayId === before.displayId))
      toastProblem(t('display-gone', { name: before.name, shown: shown.name }));
    if (shown !== null && onlyDesktop() === this.id) {
      const { deviceId, processId } = this.begun;
      showsDisplay({ desktopId: this.id, deviceId, processId, displayId: shown.displayId });
    }
    this.onRemembered();
    sessionChanged();
  }

  /** Acts on a message of the device. */
  private take(message: PageMessage): void {
    switch (message.name) {
      case 'CursorChanged':
        if (!this.isViewOnly) this.viewport.cursor = cursorStyle(message.value);
        return this.surface.touch.shape(cursorPicture(message.value));
      case 'ToastNotification':
        return this.say(message.value);
      case 'RemoteControlSessionError':
        if (message.value.isFatal) this.expectEnd(message.value.message);
        else toastProblem(message.value.message);
        return;
      case 'SessionDisconnectRequested':
        // The device may close the line before this side does.
        this.endReason = 'by-person';
        this.worker.tell({ kind: 'disconnect' });
        return this.endedBy('by-person');
      case 'WindowsSessionEnding':
        this.endReason = 'windows-ending';
        return;
      case 'WindowsSessionSwitched':
        this.endReason = 'windows-switched';
        return;
      case 'ClipboardText':
        return this.clipboard.take(message.value.text);
      case 'BlockInputResult':
        this.blocksInput = message.value.finalState;
        if (!message.value.isSuccess) toastProblem(t('block-input-failed'));
        return sessionChanged();
      case 'PrivacyScreenResult':
        this.isPrivate = message.value.finalState;
        if (!message.value.isSuccess) toastProblem(t('privacy-failed'));
        return sessionChanged();
      case 'CaptureMetricsChanged':
        return this.clipboard.sync.hear(message.value.extraData);
    }
  }

  /** Says what the device says, or the service: a right has ended. */
  private say({ message, severity }: MessageValue<'ToastNotification'>): void {
    if (severity !== WARNING && severity !== WARNING + 1) return void toast(message);
    toastProblem(message);
    void queryClient.invalidateQueries(devicePermissionsQuery(this.deviceId), { cancelRefetch: false });
  }

  /** The line is gone: it comes back, unless the other side has said that it ends, or never came. */
  private lose({ wasOpen, fault, isRestart }: Extract<FromWorker, { readonly kind: 'closed' }>): void {
    this.surface.release();
    // What the service says of its restart is no reason to stay away.
    if (this.failure !== null && !isRestart) return void this.stopFor(this.failure);
    clearTimeout(this.timer);
    if (fault !== null) return this.failWith(new ProblemError(409, { detail: t(`fault-${fault}`) }));
    if (this.endReason !== null) return this.endedBy(this.endReason);
    if (!wasOpen && this.reconnection.isFirst) {
      const detail = t(this.remembered.asksFirst ? 'not-agreed' : 'not-joined');
      return this.failWith(new ProblemError(409, { detail }));
    }
    this.reconnection.lost();
  }

  private endedBy(reason: EndReason): void {
    this.become({ kind: 'ended', reason });
  }

  /** The other side has failed for good, and closes. */
  private expectEnd(reason: string): void {
    this.failure = reason;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.stopFor(reason), CLOSE_MS);
  }

  /** Ends the line for a reason of the other side: a failure, another user, or the end of the permission. */
  private async stopFor(reason: string): Promise<void> {
    clearTimeout(this.timer);
    this.worker.tell({ kind: 'disconnect' });
    this.failWith(new ProblemError(409, { detail: reason }));
    const permissions = await queryClient.fetchQuery({ ...devicePermissionsQuery(this.deviceId), staleTime: 0 }).catch(() => null);
    if (permissions?.has(CONNECT) === false && this.connection.kind === 'failed') this.failWith(missingOnDevice(CONNECT, this.deviceId));
  }

  private failWith(error: unknown): void {
    const problem = problemOf(error);
    // Without the right, not even the past may be seen.
    if (problem.status === 403) this.hasPicture = false;
    this.become({ kind: 'failed', problem });
  }

  private become(connection: DesktopConnection): void {
    if (this.hasEnded) return;
    this.connection = connection;
    this.viewport.isDimmed = connection.kind !== 'open';
    this.surface.touch.showPointer();
    if (connection.kind !== 'open') this.figures.set(null);
    if (connection.kind === 'ended' || connection.kind === 'failed') this.recorder.stop('session');
    sessionChanged();
  }
}
