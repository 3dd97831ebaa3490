import { textForUser } from '../../../state/user-data.js';
import { valueForUser } from '../../../state/read-user-data.js';
import { toast, toastProblem } from '../../../ui/toast/toasts.js';
import { isTooLong } from './clipboard-limits.js';
import { t } from './texts.js';

const KEY = 'desktop-clipboard';

/** The permissions of the user on the clipboard of the device. */
export interface ClipboardRights {
  readonly reads: boolean;
  readonly writes: boolean;
}

interface SyncOptions {
  /** Puts a text on the clipboard of the device. */
  readonly give: (text: string) => void;
  /** False while the device gets nothing by itself. */
  readonly mayGive: () => boolean;
  /** True if the picture is shown in the window with the focus: only there browsers let pages use the clipboard. */
  readonly isInFront: () => boolean;
  readonly onChange: () => void;
}

/**
 * Keeps the clipboards of both sides in sync: what was copied here goes to the device when its picture gets the focus and when the user
 * pastes, what was copied there comes here at once, or with the focus.
 */
export class ClipboardSync {
  /** False in browsers that ask before each text, where nothing can be copied by itself. */
  isPossible = false;
  private isWanted = false;
  private userId: string | null = null;
  private rights: ClipboardRights = { reads: false, writes: false };
  /** The text that both sides have, or that is not copied. */
  private common: string | null = null;
  /** A text of the device that came while this clipboard was out of reach. */
  private coming: string | null = null;
  private meeting: Promise<void> | null = null;
  /** Settles when this clipboard is not in use: a look at it beside a change of it would take the former text for a newer one. */
  private used: Promise<void> = Promise.resolve();
  /** True if the device does not send its texts by itself, which the user knows. */
  private isSilent = false;

  constructor(private readonly options: SyncOptions) {
    void canReadByItself().then((isPossible) => {
      this.isPossible = isPossible;
      this.changed();
    });
  }

  get isOn(): boolean {
    return this.isWanted && this.isPossible && (this.rights.reads || this.rights.writes);
  }

  /** True if the device is to send the changes of its clipboard. */
  get takes(): boolean {
    return this.isOn && this.rights.reads;
  }

  /** True if texts of this clipboard go to the device now. */
  get gives(): boolean {
    return this.isOn && this.rights.writes && this.options.mayGive();
  }

  /** Takes the permissions of the user, and their choice, which this browser remembers for them. */
  allow(rights: ClipboardRights, userId: string): void {
    const isSame = rights.reads === this.rights.reads && rights.writes === this.rights.writes && userId === this.userId;
    if (isSame) return;
    if (userId !== this.userId) this.isWanted = valueForUser(localStorage.getItem(KEY), userId) === true;
    this.rights = rights;
    this.userId = userId;
    this.changed();
  }

  toggle(): void {
    this.choose(!this.isWanted);
    this.changed();
  }

  /** Brings both clipboards to the newer text. What the user has copied here is the newer one. */
  async meet(): Promise<void> {
    this.meeting ??= this.use(() => this.compare()).finally(() => (this.meeting = null));
    return this.meeting;
  }

  /** Takes a text that was copied on the device. */
  take(text: string | null): void {
    if (!this.takes || text === null || text === '') return;
    this.coming = text;
    void this.use(async () => {
      if (this.coming !== text) return;
      // The device may be back at the text that both have: what was copied there in between is not to come any more.
      if (text === this.common) this.coming = null;
      else if (this.options.isInFront()) await this.put(text);
    });
  }

  /** Takes a text that the user pastes here: the device has it before it gets the keys. */
  pasted(text: string): void {
    if (this.gives) this.give(text);
  }

  /** Takes the figures of the device, which say if it sends what is copied there. The user hears once that it does not. */
  hear({ clipboardSync }: Readonly<Record<string, string>>): void {
    if (!this.takes || clipboardSync !== undefined || this.isSilent) return;
    this.isSilent = true;
    toast(t('clipboard-sync-silent'));
  }

  /** Notes a text that was copied in another way. */
  note(text: string): void {
    this.common = text;
    this.coming = null;
  }

  /** Does something with this clipboard, after what is being done with it. */
  private async use(does: () => Promise<void>): Promise<void> {
    this.used = this.used.then(does);
    return this.used;
  }

  private async compare(): Promise<void> {
    const text = this.gives ? await this.read() : null;
    const { coming } = this;
    if (text !== null && text !== '' && text !== this.common && text !== coming) this.give(text);
    else if (coming !== null && coming === text) this.note(coming);
    else if (coming !== null && this.takes && this.options.isInFront()) await this.put(coming);
  }

  private async read(): Promise<string | null> {
    try {
      return await navigator.clipboard.readText();
    } catch {
      this.refused();
      return null;
    }
  }

  private give(text: string): void {
    if (text === '' || text === this.common) return;
    this.note(text);
    if (isTooLong(text)) toastProblem(t('clipboard-too-long'));
    else this.options.give(text);
  }

  private async put(text: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.common = text;
      if (this.coming === text) this.coming = null;
    } catch {
      this.refused();
    }
  }

  /** The browser does not let the page use the clipboard. A window that has just lost the focus tries again when it is back. */
  private refused(): void {
    if (!this.isOn || !document.hasFocus()) return;
    this.choose(false);
    this.changed();
    toastProblem(t('clipboard-sync-refused'));
  }

  private choose(isWanted: boolean): void {
    this.isWanted = isWanted;
    if (this.userId !== null && isWanted) localStorage.setItem(KEY, textForUser(this.userId, true));
    else localStorage.removeItem(KEY);
  }

  private changed(): void {
    if (!this.takes) this.coming = null;
    this.options.onChange();
    if (this.isOn && this.options.isInFront()) void this.meet();
  }
}

/** True where the user allows reading once for all texts. Other browsers do not know the permission. */
async function canReadByItself(): Promise<boolean> {
  const asked = navigator.permissions.query({ name: 'clipboard-read' as PermissionName });
  return asked.then(
    () => true,
    () => false,
  );
}
