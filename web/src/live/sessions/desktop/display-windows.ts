import type { Display } from '#libs/desktop-stream';

import { store } from '../../../state/store.js';
import { textForUser } from '../../../state/user-data.js';
import { newId } from '../../../state/new-id.js';
import { tellWindows } from '../tell-windows.js';
import type { RememberedDesktop } from './desktop-list.js';

/*
 * Displays in windows of their own. Each has a session of its own, which ends with its window. Windows and pages of this browser tell each
 * other which displays are shown where.
 */

/** A display that a window of its own shows. */
export interface DisplayWindow {
  /** Id of the session in the window. */
  readonly desktopId: string;
  readonly deviceId: string;
  readonly processId: number;
  readonly displayId: string;
}

/** Messages between windows of this browser: a window shows a display, or closes; a page asks all windows. */
type Told =
  | { readonly told: 'shown'; readonly window: DisplayWindow }
  | { readonly told: 'closed'; readonly desktopId: string }
  | { readonly told: 'where' };

/** Height of the bar with the tools, in pixels. */
const BAR = 48;

/** Memory of a window for its desktop. A new window begins with a copy of the memory of the page that opened it. */
export const WINDOW_KEY = 'desktop-window';

const others = new BroadcastChannel('displays');

function tell(message: Told): void {
  tellWindows(others, message);
}

/** The windows that are open. */
const windows = store<readonly DisplayWindow[]>([], 'goes');
/** The windows that this page has opened, by their sessions. */
const opened = new Map<string, Window>();

/** The only desktop of this window; null in a window with pages. */
export const onlyDesktop = (): string | null => new URLSearchParams(location.search).get('alone');

/** The window of this page; null in a window with pages, and before it shows a display. */
let own: DisplayWindow | null = null;

/** The windows of displays. Renders again when one opens or closes. */
export const useDisplayWindows = windows.useValue;

/** Forgets windows that ended without saying so. */
export function forgetClosedWindows(): void {
  const gone = (desktopId: string): boolean => opened.get(desktopId)?.closed === true;
  if (windows.get().some(({ desktopId }) => gone(desktopId))) windows.set(windows.get().filter(({ desktopId }) => !gone(desktopId)));
}

/** Tells the pages of this browser which display this window shows. */
export function showsDisplay(shown: DisplayWindow): void {
  own = shown;
  tell({ told: 'shown', window: shown });
}

/** Tells the pages of this browser that this window shows no display any more. */
export function showsNothing(): void {
  if (own !== null) tell({ told: 'closed', desktopId: own.desktopId });
  own = null;
}

/** True if this page has opened the window, and can give it the focus. */
export const canFocusWindow = (desktopId: string): boolean => opened.get(desktopId)?.closed === false;

/** Gives the focus to a window that this page has opened. */
export const focusWindow = (desktopId: string): void => opened.get(desktopId)?.focus();

/** Opens a display of a desktop in a window of its own. False if the browser allows no new window. */
export function openDisplayWindow(userId: string, desktop: RememberedDesktop, { displayId, capturePixelSize }: Display): boolean {
  const desktopId = newId();
  sessionStorage.setItem(WINDOW_KEY, textForUser(userId, [{ ...desktop, desktopId, displayId } satisfies RememberedDesktop]));
  const room = (pixels: number, most: number): number => Math.round(Math.min(pixels / devicePixelRatio, most));
  const width = room(capturePixelSize.width, screen.availWidth);
  const height = room(capturePixelSize.height + BAR, screen.availHeight);
  const address = `/devices/${desktop.deviceId}/screen?alone=${desktopId}`;
  const window = globalThis.open(address, `display ${desktopId}`, `popup,width=${width},height=${height}`);
  if (window === null) return false;
  opened.set(desktopId, window);
  return true;
}

const without = (desktopId: string): DisplayWindow[] => windows.get().filter((each) => each.desktopId !== desktopId);

others.addEventListener('message', ({ data }: MessageEvent<Told>) => {
  if (data.told === 'shown') windows.set([...without(data.window.desktopId), data.window]);
  else if (data.told === 'closed') windows.set(without(data.desktopId));
  else if (own !== null) tell({ told: 'shown', window: own });
});
addEventListener('pagehide', showsNothing);
tell({ told: 'where' });
