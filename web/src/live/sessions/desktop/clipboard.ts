import { toast, toastProblem } from '../../../ui/toast/toasts.js';
import { copyText } from '../../../ui/copy/copy-text.js';
import { isTooLong } from './clipboard-limits.js';
import { ClipboardSync } from './clipboard-sync.js';
import { t } from './texts.js';
import type { ViewerMessage } from './worker/messages.js';

interface ClipboardOptions {
  readonly send: (message: ViewerMessage) => void;
  /** Id of the session at the relay. */
  readonly sessionId: () => string;
  /** True while keys and pointer go to the device, and texts of this clipboard may as well. */
  readonly takesInput: () => boolean;
  /** True if the picture is shown in the window with the focus. */
  readonly isInFront: () => boolean;
  /** Synchronisation was turned on or off. */
  readonly onChange: () => void;
}

/** The text of this clipboard; null if the page may not read it. Pages without a secure connection have no clipboard at all. */
async function readText(): Promise<string | null> {
  try {
    return await navigator.clipboard.readText();
  } catch {
    return null;
  }
}

/** The clipboards of both sides. */
export class DesktopClipboard {
  readonly sync: ClipboardSync;
  /** True while the text of the device is wanted here. */
  private isAsked = false;

  constructor(private readonly options: ClipboardOptions) {
    const { takesInput, isInFront, onChange } = options;
    this.sync = new ClipboardSync({ give: (text) => this.put(text), mayGive: takesInput, isInFront, onChange });
  }

  /** Asks for the text of the device's clipboard, which is copied here once it comes. */
  ask(): void {
    this.isAsked = true;
    this.options.send({ name: 'RequestClipboardText', value: {} });
  }

  /** Takes the text of the device's clipboard. */
  take(text: string | null): void {
    if (!this.isAsked) return this.sync.take(text);
    this.isAsked = false;
    if (text === null || text === '') toast(t('clipboard-empty'));
    else {
      this.sync.note(text);
      void copyText(text, t('clipboard-taken'));
    }
  }

  /** Puts the text of this clipboard on that of the device. */
  async give(): Promise<void> {
    const text = await this.read();
    if (text === null) return;
    this.sync.note(text);
    this.put(text);
    toast(t('clipboard-sent'));
  }

  /** Types the text of this clipboard on the device. */
  async type(): Promise<void> {
    const text = await this.read();
    if (text !== null) this.options.send({ name: 'TypeText', value: { text: text.replaceAll('\r\n', '\n') } });
  }

  private put(text: string): void {
    this.options.send({ name: 'ClipboardText', value: { text, sessionId: this.options.sessionId() } });
  }

  /** The text of this clipboard; null if there is none to send, which is said. */
  private async read(): Promise<string | null> {
    const text = await readText();
    if (text === null) toastProblem(t('clipboard-failed'));
    else if (text === '') toastProblem(t('clipboard-none'));
    else if (isTooLong(text)) toastProblem(t('clipboard-too-long'));
    else return text;
    return null;
  }
}
