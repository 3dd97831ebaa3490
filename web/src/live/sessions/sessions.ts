import { store } from '../../state/store.js';
import { keepHub } from '../hub.js';

/*
 * Sessions that outlive the page that started them: terminals, screens, chats, transfers. A session keeps its own element; pages give it a place
 * for as long as they are shown (see SessionSlot), and the dock leads back to it.
 */

/** State of a session, as the dock shows it. One that is away runs in another window. */
export type SessionState = 'running' | 'waiting' | 'failed' | 'done' | 'away';

export interface Session {
  readonly id: string;
  readonly kind: 'terminal' | 'screen' | 'transfer' | 'chat';
  readonly deviceId: string;
  readonly deviceName: string;
  /** Name in a word or two: "Terminal 2", "backup.zip". */
  readonly label: string;
  readonly state: SessionState;
  /** Number of messages that the user has not seen. */
  readonly unread?: number;
  /** The share that is done, from 0 to 1, of a session that has an end. */
  readonly progress?: number;
  /** The address of the page that shows it. */
  readonly href: string;
  /** False for an attempt that failed: its page says so, and the dock has nothing to lead back to. */
  readonly isListed?: boolean;
  /** Its element. Made once and moved from place to place, so that nothing in it starts again. */
  readonly host?: HTMLElement;
  /** Nothing is lost when this window is closed: another one takes it over, or opens it again. */
  readonly isKeptElsewhere?: boolean;
  /** The host got a place, or lost it. */
  readonly onShown?: (isShown: boolean) => void;
  /** Ends it for good. */
  readonly end: () => void;
}

/** Terminals and screens at a time: each costs memory here and a process on its device. */
export const MAXIMUM_SESSIONS = 8;

const sessions = store<readonly Session[]>([], () => endSessions());
let release: (() => void) | null = null;

function become(next: readonly Session[]): void {
  if (next.length > 0 && release === null) {
    release = keepHub();
    addEventListener('beforeunload', warn);
  } else if (next.length === 0 && release !== null) {
    release();
    release = null;
    removeEventListener('beforeunload', warn);
  }
  sessions.set(next);
}

/** Asks before the tab is closed while something runs. */
function warn(event: BeforeUnloadEvent): void {
  if (sessions.get().some(({ state, isKeptElsewhere }) => isKeptElsewhere !== true && (state === 'running' || state === 'waiting')))
    event.preventDefault();
}

export const currentSessions = sessions.get;

const isListed = (session: Session): boolean => session.isListed !== false;

/** True if one more terminal or screen may be opened. */
export const hasRoom = (): boolean =>
  sessions.get().filter((session) => (session.kind === 'terminal' || session.kind === 'screen') && isListed(session)).length <
  MAXIMUM_SESSIONS;

export function addSession(session: Session): void {
  become([...sessions.get(), session]);
}

export function removeSession(session: Session): void {
  session.host?.remove();
  become(sessions.get().filter((each) => each !== session));
}

/** Sessions call this when their part of the dock has changed. */
export function sessionChanged(): void {
  become([...sessions.get()]);
}

/** Ends everything. */
export function endSessions(): void {
  for (const session of sessions.get()) session.end();
}

/** All sessions. Renders again whenever one of them changes. */
export const useSessions = sessions.useValue;

/** The sessions that the dock leads back to. */
export const useListedSessions = (): readonly Session[] => useSessions().filter(isListed);
