import { toast, toastProblem } from '../../../ui/toast/toasts.js';
import { copyText } from '../../../ui/copy/copy-text.js';
import { t } from './texts.js';
import type { ViewerMessage } from './worker/messages.js';

/** Longest text that is sent, in bytes: less than the relay lets through. */
const MOST_BYTES = 1_000_000;

/** The clipboards of both sides. */
export class DesktopClipboard {
  /** True while the text of the device is wanted here. */
  private isAsked = false;

  constructor(
    private readonly send: (message: ViewerMessage) => void,
    /** Id of the session at the relay. */
    private readonly sessionId: () => string,
  ) {}

  /** Asks for the text of the device's clipboard, which is copied here once it comes. */
  ask(): void {
    this.isAsked = true;
    this.send({ name: 'RequestClipboardText', value: {} });
  }

  /** Takes the text of the device's clipboard. */
  take(text: string | null): void {
    if (!this.isAsked) return;
    this.isAsked = false;
    if (text === null || text === '') toast(t('clipboard-empty'));
    else void copyText(text, t('clipboard-taken'));
  }

  /** Puts the text of this clipboard on that of the device. */
  async give(): Promise<void> {
    const text = await this.read();
    if (text === null) return;
    this.send({ name: 'ClipboardText', value: { text, sessionId: this.sessionId() } });
    toast(t('clipboard-sent'));
  }

  /** Types the text of this clipboard on the device. */
  async type(): Promise<void> {
    const text = await this.read();
    if (text !== null) this.send({ name: 'TypeText', value: { text: text.replaceAll('\r\n', '\n') } });
  }

  /** The text of this clipboard; null if there is none to send, which is said. */
  private async read(): Promise<string | null> {
    const text = await navigator.clipboard.readText().catch(() => null);
    if (text === null) toastProblem(t('clipboard-failed'));
    else if (text === '') toastProblem(t('clipboard-none'));
    else if (new TextEncoder().encode(text).length > MOST_BYTES) toastProblem(t('clipboard-too-long'));
    else return text;
    return null;
  }
}
