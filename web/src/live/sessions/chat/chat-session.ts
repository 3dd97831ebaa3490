import type { Arguments, Timestamp } from '#libs/contracts';

import type { Desktop } from '../../../api/devices/desktops.js';
import { problemOf } from '../../../problem/problem.js';
import { onDeviceUpdate, showDevices } from '../../device-feed.js';
import { expectSuccess, invoke, invokeIfLive, onHubBack, onPush, type Pushes } from '../../hub.js';
import { newId } from '../../../state/new-id.js';
import { addSession, removeSession, type Session, sessionChanged, type SessionState } from '../sessions.js';
import { type ChatEntry, type ChatEvent, withDelivery } from './conversation.js';
import { t } from './texts.js';

type Response = Arguments<Pushes['ReceiveChatResponse']>[0];

const PERMISSION = 'device.chat.send';

/**
 * The chat with the person at a desktop. It begins with the first message, and ends when either side ends it or the right is gone. Its
 * history stays, and the next message begins another conversation below it.
 */
export class ChatSession implements Session {
  readonly kind = 'chat';
  readonly id = newId();
  entries: readonly ChatEntry[] = [];
  /** Text that is typed and not sent. It outlives the page, and the time in which the device is away. */
  private typed = '';
  /** Answers and ends that the user has not seen. */
  unread = 0;

  /** The id of the conversation that runs; null before the first message and after an end. */
  private conversation: string | null = null;
  /** The window on the device may be gone: the next message opens it again. */
  private isLost = false;
  private isInDock = false;
  private isShown = false;
  private stops: (() => void)[] = [];

  constructor(
    readonly deviceId: string,
    readonly deviceName: string,
    private desktop: Desktop,
  ) {}

  get draft(): string {
    return this.typed;
  }

  keepDraft(draft: string): void {
    this.typed = draft;
  }

  get label(): string {
    const { username } = this.desktop;
    return username === '' ? t('label') : t('label-with', { user: username });
  }

  get href(): string {
    return `/devices/${this.deviceId}/chat?process=${this.desktop.processId}`;
  }

  get state(): SessionState {
    if (this.conversation === null) return 'done';
    return this.isLost ? 'waiting' : 'running';
  }

  /** True while a conversation runs. */
  get isRunning(): boolean {
    return this.conversation !== null;
  }

  /** Sends a message to the desktop as it is now: after a restart of the device another process serves it. Throws if it fails. */
  async send(text: string, desktop: Desktop): Promise<void> {
    this.desktop = desktop;
    this.begin();
    const id = newId();
    const at = new Date();
    const sessionId = this.conversation ?? newId();
    this.isLost = false;
    this.add({ id, from: null, text, at, delivery: 'sending' });
    try {
      const result = await invoke('SendChatMessage2', {
        deviceId: this.deviceId,
        sessionId,
        message: text,
        senderName: '',
        senderEmail: '',
        targetSystemSession: desktop.systemSessionId,
        targetProcessId: desktop.processId,
        // JSON shows an instant as a text.
        timestamp: at.toISOString() as unknown as Timestamp,
        viewerConnectionId: '',
      });
      expectSuccess(result, PERMISSION, this.deviceId);
      this.show(withDelivery(this.entries, id, 'delivered'));
    } catch (error) {
      this.show(withDelivery(this.entries, id, 'failed'));
      if (problemOf(error).status === 403 && this.conversation === sessionId) this.finish('ended-by-right');
      throw error;
    }
  }

  /** Ends the conversation and closes its window on the device; takes one that has ended out of the dock. */
  end = (): void => {
    const sessionId = this.conversation;
    if (sessionId !== null) {
      const { deviceId, desktop } = this;
      void invokeIfLive('CloseChatSession2', { deviceId, sessionId, targetProcessId: desktop.processId });
      this.finish('ended-by-user');
    }
    this.leaveDock();
  };

  /** The user sees the chat, until the returned function is called. */
  watch(): () => void {
    const follow = (): void => {
      this.isShown = document.visibilityState === 'visible';
      if (!this.isShown || this.unread === 0) return;
      this.unread = 0;
      sessionChanged();
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      this.isShown = false;
      // What has ended and was seen needs no way back.
      if (!this.isRunning) this.leaveDock();
    };
  }

  private begin(): void {
    if (!this.isInDock) {
      this.isInDock = true;
      addSession(this);
    }
    if (this.conversation !== null) return;
    this.conversation = newId();
    this.stops = [
      showDevices([this.deviceId]),
      onPush('ReceiveChatResponse', (response) => this.receive(response)),
      // The service closes the conversations of a connection that is lost.
      onHubBack(() => this.lose()),
      onDeviceUpdate(({ id, isOnline }) => {
        if (id === this.deviceId && !isOnline) this.lose();
      }),
    ];
  }

  /** Takes an answer. The returned value tells the agent that the message is on the screen. */
  private receive({ sessionId, message, senderUsername }: Response): boolean {
    if (sessionId !== this.conversation) return false;
    if (message === '') {
      if (senderUsername === '') this.finish('ended-by-right');
      else this.finish('ended-by-person', senderUsername);
    } else this.add({ id: newId(), from: senderUsername, text: message, at: new Date() });
    if (!this.isShown) {
      this.unread += 1;
      sessionChanged();
    }
    return true;
  }

  private lose(): void {
    if (this.isLost || this.conversation === null) return;
    this.isLost = true;
    this.note('lost');
  }

  private finish(event: ChatEvent['event'], by?: string): void {
    for (const stop of this.stops) stop();
    this.stops = [];
    this.conversation = null;
    this.isLost = false;
    this.note(event, by);
  }

  private leaveDock(): void {
    if (!this.isInDock) return;
    this.isInDock = false;
    this.unread = 0;
    removeSession(this);
  }

  private note(event: ChatEvent['event'], by?: string): void {
    this.add({ id: newId(), event, by, at: new Date() });
  }

  private add(entry: ChatEntry): void {
    this.show([...this.entries, entry]);
  }

  private show(entries: readonly ChatEntry[]): void {
    this.entries = entries;
    sessionChanged();
  }
}
