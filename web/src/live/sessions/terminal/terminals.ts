import { textForUser } from '../../../state/user-data.js';
import { claim, hasLocks, release } from '../claims.js';
import { newId } from '../../../state/new-id.js';
import { addSession, currentSessions, hasRoom, MAXIMUM_SESSIONS } from '../sessions.js';
import { freeNumber, parseTerminals, type RememberedTerminal } from './terminal-list.js';
import { TerminalSession } from './terminal-session.js';
import { onlyTerminal, onShownWindowClosed, onTold, openWindow, showToOpener, tell } from './terminal-windows.js';

/*
 * The terminals of this tab. The tab remembers their ids, so that they are there again after a reload.
 */

const KEY = 'terminals';
/** The name under which one tab has a terminal. */
const nameOf = (terminalId: string): string => `terminal ${terminalId}`;

let userId = '';

/** The terminals that run, of one device or of all. */
export const currentTerminals = (deviceId?: string): TerminalSession[] =>
  currentSessions().filter(
    (session): session is TerminalSession =>
      session instanceof TerminalSession && (deviceId === undefined || session.deviceId === deviceId),
  );

function remember(): void {
  const terminals: readonly RememberedTerminal[] = currentTerminals().map(({ remembered }) => remembered);
  if (terminals.length === 0) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, textForUser(userId, terminals));
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
  void claim(nameOf(terminal.terminalId));
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
  // A new window begins with a copy of the memory of the tab that opened it.
  const known = parseTerminals(sessionStorage.getItem(KEY), ofUser, MAXIMUM_SESSIONS).filter(
    ({ terminalId }) => only === null || terminalId === only,
  );
  const running = new Set(currentTerminals().map(({ id }) => id));
  await Promise.all(
    known
      .filter(({ terminalId }) => !running.has(terminalId))
      .map(async (terminal) => {
        if (terminal.isAway === true && only === null) {
          const away = start(terminal);
          tell('where', terminal.terminalId);
          // Its window still has it, or was closed since. Without locks this is unknown, and the user decides.
          if (hasLocks()) await comeBack(away);
        } else if (await claim(nameOf(terminal.terminalId))) {
          start({ ...terminal, isAway: false });
          if (only !== null) showToOpener(only);
        }
      }),
  );
}

/** Shows a terminal in a window of its own. False if the browser allows no new window. */
export function popOut(terminal: TerminalSession): boolean {
  // A terminal whose window is closed comes back to this page.
  if (!openWindow(terminal, () => void comeBack(terminal))) return false;
  release(nameOf(terminal.id));
  terminal.goAway();
  return true;
}

const isAway = ({ connection }: TerminalSession): boolean => connection.kind === 'away';

/** Takes a terminal back from its window. False if the window does not release it: it does if it runs. */
export function takeBack(terminal: TerminalSession): Promise<boolean> {
  tell('let-go', terminal.id);
  return comeBack(terminal);
}

/** Takes back a terminal that no other window holds any more. */
async function comeBack(terminal: TerminalSession): Promise<boolean> {
  const isMine = await claim(nameOf(terminal.id));
  if (!isMine || !isAway(terminal)) return isMine;
  const attached = terminal.attach();
  remember();
  await attached;
  return true;
}

onTold((told, terminalId) => {
  const terminal = currentTerminals().find(({ id }) => id === terminalId);
  if (terminal === undefined || (told !== 'ended' && isAway(terminal))) return;
  if (told === 'where') {
    if (onlyTerminal() !== null) showToOpener(terminalId);
    return;
  }
  terminal.letGo();
  release(nameOf(terminalId));
  if (onlyTerminal() !== null) window.close();
});

onShownWindowClosed((terminalId) => {
  const terminal = currentTerminals().find(({ id }) => id === terminalId);
  if (terminal !== undefined) void comeBack(terminal);
});
