import { newId } from '../new-id.js';
import { addSession, currentSessions, hasRoom, MAXIMUM_SESSIONS } from '../sessions.js';
import { freeNumber, parseTerminals, type RememberedTerminal, type RememberedTerminals } from './terminal-list.js';
import { TerminalSession } from './terminal-session.js';

/*
 * The terminals of this tab. The tab remembers their ids, so that they are there again after a reload.
 */

const KEY = 'terminals';
/** How long a page that is being left may hold its terminals. */
const CLAIM_TIMEOUT = 3000;

let userId = '';

/** The terminals that run, of one device or of all. */
export const currentTerminals = (deviceId?: string): TerminalSession[] =>
  currentSessions().filter(
    (session): session is TerminalSession =>
      session instanceof TerminalSession && (deviceId === undefined || session.deviceId === deviceId),
  );

function remember(): void {
  const value: RememberedTerminals = { userId, terminals: currentTerminals().map(({ remembered }) => remembered) };
  if (value.terminals.length === 0) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, JSON.stringify(value));
}

function start(terminal: RememberedTerminal): TerminalSession {
  const session = new TerminalSession(terminal, remember);
  addSession(session);
  remember();
  return session;
}

/** Opens another terminal on a device; null when there are too many already. */
export function openTerminal(deviceId: string, deviceName: string): TerminalSession | null {
  if (!hasRoom()) return null;
  const number = freeNumber(currentTerminals(deviceId).map((terminal) => terminal.number));
  const terminal = { terminalId: newId(), deviceId, deviceName, number, isRaw: null };
  void claim(terminal.terminalId);
  return start(terminal);
}

let restoring: Promise<void> | null = null;

/** Brings back the terminals that this tab had before it was reloaded. */
export function restoreTerminals(ofUser: string): Promise<void> {
  if (userId !== ofUser) restoring = null;
  userId = ofUser;
  restoring ??= restore(ofUser);
  return restoring;
}

async function restore(ofUser: string): Promise<void> {
  const known = parseTerminals(sessionStorage.getItem(KEY), ofUser, MAXIMUM_SESSIONS);
  const running = new Set(currentTerminals().map(({ id }) => id));
  await Promise.all(
    known
      .filter(({ terminalId }) => !running.has(terminalId))
      .map(async (terminal) => {
        if (await claim(terminal.terminalId)) start(terminal);
      }),
  );
}

/**
 * Whether this tab may use a terminal. Browsers copy what a tab remembers when the tab is duplicated; the copy must not take the shells of
 * the first one. The claim lasts as long as the page.
 */
async function claim(terminalId: string): Promise<boolean> {
  // Pages without a secure connection have no locks.
  if (!('locks' in navigator)) return true;
  return new Promise((resolve) => {
    const forever = new Promise<never>(() => undefined);
    navigator.locks
      .request(`terminal ${terminalId}`, { signal: AbortSignal.timeout(CLAIM_TIMEOUT) }, () => {
        resolve(true);
        return forever;
      })
      .catch(() => resolve(false));
  });
}
