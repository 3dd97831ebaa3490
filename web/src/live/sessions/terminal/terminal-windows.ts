import { tellWindows } from '../tell-windows.js';

/*
 * Terminals in windows of their own. A terminal is in one window at a time: the page that it came from releases it, and gets it back when
 * that window is closed or releases it.
 */

/** Messages between windows of this browser about a terminal: one wants it, looks for its window, or says that it has ended. */
export type Told = 'let-go' | 'where' | 'ended';

interface Message {
  readonly told: Told;
  readonly terminalId: string;
}

/** Reaches the other windows of this browser. A window does not receive its own messages. */
const windows = new BroadcastChannel('terminals');

export function tell(told: Told, terminalId: string): void {
  const message: Message = { told, terminalId };
  tellWindows(windows, message);
}

/** Listens to other windows, for as long as the page is there. */
export function onTold(listener: (told: Told, terminalId: string) => void): void {
  windows.addEventListener('message', ({ data }: MessageEvent<Message>) => listener(data.told, data.terminalId));
}

/** The only terminal of this window; null in a window with pages. */
export const onlyTerminal = (): string | null => new URLSearchParams(location.search).get('alone');

/** True if this is the window of a terminal, and the one that it came from is still open. */
export const openerIsThere = (): boolean => onlyTerminal() !== null && (window.opener as Window | null)?.closed === false;

/** The address of a terminal's own window. */
const addressOf = (deviceId: string, terminalId: string): string => `/devices/${deviceId}/terminal?alone=${terminalId}`;

/** Interval of the checks that a window is still there, in milliseconds. No event tells a closed window from a reloaded one. */
const LOOK_EVERY = 500;

/** The windows that are looked at, by their terminals. */
const watched = new Map<string, Window>();

function watch(opened: Window, terminalId: string, onClosed: () => void): void {
  if (watched.get(terminalId) === opened) return;
  watched.set(terminalId, opened);
  const timer = setInterval(() => {
    // A terminal that came back may have another window by now.
    const isLatest = watched.get(terminalId) === opened;
    if (isLatest && !opened.closed) return;
    clearInterval(timer);
    if (!isLatest) return;
    watched.delete(terminalId);
    onClosed();
  }, LOOK_EVERY);
}

/** Opens a terminal's own window, and calls back when it is closed. False if the browser allows no new window. */
export function openWindow({ id, deviceId }: { readonly id: string; readonly deviceId: string }, onClosed: () => void): boolean {
  const opened = window.open(addressOf(deviceId, id), `terminal ${id}`, 'popup,width=960,height=600');
  if (opened === null) return false;
  watch(opened, id, onClosed);
  return true;
}

/** Shows a terminal's own window to the page that it came from, which does not know it any more after a reload. */
export function showToOpener(terminalId: string): void {
  (window.opener as Window | null)?.postMessage({ shownTerminal: terminalId }, location.origin);
}

/** Calls back when the window of a terminal that has shown itself to this page is closed. */
export function onShownWindowClosed(onClosed: (terminalId: string) => void): void {
  addEventListener('message', ({ origin, source, data }: MessageEvent<{ readonly shownTerminal?: unknown } | null>) => {
    const terminalId = data?.shownTerminal;
    if (origin === location.origin && source !== null && typeof terminalId === 'string')
      watch(source as Window, terminalId, () => onClosed(terminalId));
  });
}
