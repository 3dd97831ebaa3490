import { newId } from '../new-id.js';
import { addSession, currentSessions, hasRoom, MAXIMUM_SESSIONS } from '../sessions.js';
import { freeNumber, parseTerminals, type RememberedTerminal, type RememberedTerminals } from './terminal-list.js';
import { TerminalSession } from './terminal-session.js';
import { onlyTerminal, onTold, openWindow, tell } from './terminal-windows.js';

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
  const only = onlyTerminal();
  // A new window begins with a copy of what the tab that opened it remembers.
  const known = parseTerminals(sessionStorage.getItem(KEY), ofUser, MAXIMUM_SESSIONS).filter(
    ({ terminalId }) => only === null || terminalId === only,
  );
  const running = new Set(currentTerminals().map(({ id }) => id));
  await Promise.all(
    known
      .filter(({ terminalId }) => !running.has(terminalId))
      .map(async (terminal) => {
        // Its window has it, or was closed meanwhile.
        if (terminal.isAway === true && only === null) await takeBack(start(terminal), false);
        else if (await claim(terminal.terminalId)) start({ ...terminal, isAway: false });
      }),
  );
}

/** Shows a terminal in a window of its own. False if the browser allows no new window. */
export function popOut(terminal: TerminalSession): boolean {
  // Whoever closes the window has the terminal back.
  if (!openWindow(terminal, () => void takeBack(terminal, false))) return false;
  release(terminal.id);
  terminal.goAway();
  return true;
}

/** Has a terminal back from its window. False if that does not let go of it; it does when it is asked and runs. */
export async function takeBack(terminal: TerminalSession, isAsked = true): Promise<boolean> {
  if (terminal.connection.kind !== 'away') return true;
  if (isAsked) tell('let-go', terminal.id);
  const isMine = await claim(terminal.id);
  if (!isMine) return false;
  const attached = terminal.attach();
  remember();
  await attached;
  return true;
}

onTold((told, terminalId) => {
  const terminal = currentTerminals().find(({ id }) => id === terminalId);
  if (terminal === undefined || (told === 'let-go' && terminal.connection.kind === 'away')) return;
  terminal.letGo();
  release(terminalId);
  if (onlyTerminal() !== null) window.close();
});

/** How to give back what this page has claimed. */
const claims = new Map<string, () => void>();

function release(terminalId: string): void {
  claims.get(terminalId)?.();
  claims.delete(terminalId);
}

/**
 * Whether this tab may use a terminal. Browsers copy what a tab remembers when the tab is duplicated; the copy must not take the shells of
 * the first one. The claim lasts until it is released, at the latest with the page.
 */
async function claim(terminalId: string): Promise<boolean> {
  // Pages without a secure connection have no locks.
  if (!('locks' in navigator) || claims.has(terminalId)) return true;
  return new Promise((resolve) => {
    navigator.locks
      .request(`terminal ${terminalId}`, { signal: AbortSignal.timeout(CLAIM_TIMEOUT) }, () => {
        resolve(true);
        return new Promise<void>((giveBack) => claims.set(terminalId, giveBack));
      })
      .catch(() => resolve(false));
  });
}
