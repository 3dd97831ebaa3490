import { textForUser } from '../../state/user-data.js';
import { claim } from './claims.js';
import { addSession, currentSessions, hasRoom, MAXIMUM_SESSIONS, type Session } from './sessions.js';

/** A session that its tab remembers over a reload. */
interface RememberedSession<R> extends Session {
  /** State that the tab keeps. */
  readonly remembered: R;
  /** True once there was a picture. An attempt that failed is not remembered. */
  readonly hasBeenOpen: boolean;
}

/** The differences between kinds of remembered sessions. */
interface KindOfSession<S, R> {
  /** Name of the sessions in the memory of the tab. */
  readonly key: string;
  readonly isOne: (session: Session) => session is S & Session;
  readonly idOf: (remembered: R) => string;
  /** Reads the remembered sessions of a user. */
  readonly parse: (text: string | null, userId: string, most: number) => readonly R[];
  /** Starts a session; it calls `onRemembered` when its remembered state has changed. */
  readonly make: (remembered: R, publicUrl: string, onRemembered: () => void, wasOpen: boolean) => S;
}

/** The sessions of one kind in this tab, one of each device at most. The tab remembers them, so that they are there again after a reload. */
export class RememberedSessions<S extends RememberedSession<R>, R extends { readonly deviceId: string }> {
  private userId = '';
  private restoring: Promise<void> | null = null;

  constructor(private readonly kind: KindOfSession<S, R>) {}

  /** The session with a device. */
  of(deviceId: string): S | undefined {
    return this.current().find((session) => session.deviceId === deviceId);
  }

  /** Starts a session with a device, which knows the service as `publicUrl`; null when too much runs already. */
  open(remembered: R, publicUrl: string): S | null {
    if (!hasRoom()) return null;
    void claim(this.nameOf(remembered));
    return this.start(remembered, publicUrl, false);
  }

  /** Brings back the sessions that this tab had before it was reloaded. */
  restore(ofUser: string, publicUrl: string): Promise<void> {
    if (this.userId !== ofUser) this.restoring = null;
    this.userId = ofUser;
    this.restoring ??= this.bringBack(publicUrl);
    return this.restoring;
  }

  private current(): S[] {
    return currentSessions().filter(this.kind.isOne);
  }

  private start(remembered: R, publicUrl: string, wasOpen: boolean): S {
    const session = this.kind.make(remembered, publicUrl, () => this.remember(), wasOpen);
    addSession(session);
    return session;
  }

  /** One without a user belongs to no one: it is not remembered before {@link restore}, which pages call first. */
  private remember(): void {
    const { key } = this.kind;
    const sessions = this.current().filter(({ hasBeenOpen }) => hasBeenOpen);
    const remembered = sessions.map((session) => session.remembered);
    if (remembered.length === 0) sessionStorage.removeItem(key);
    else if (this.userId !== '') sessionStorage.setItem(key, textForUser(this.userId, remembered));
  }

  private async bringBack(publicUrl: string): Promise<void> {
    const { key, parse } = this.kind;
    await Promise.all(
      parse(sessionStorage.getItem(key), this.userId, MAXIMUM_SESSIONS).map(async (remembered) => {
        if ((await claim(this.nameOf(remembered))) && this.of(remembered.deviceId) === undefined) this.start(remembered, publicUrl, true);
      }),
    );
  }

  private nameOf(remembered: R): string {
    return `${this.kind.key} ${this.kind.idOf(remembered)}`;
  }
}
