import { atMost } from '../../api/at-most.js';
import { problemOf } from '../../problem/problem.js';
import { queryClient } from '../../api/queries.js';
import { changeStored, readStored } from '../../api/people/user-storage.js';
import { describeProblem } from '../../ui/problem-text.js';
import { dismissToast, toastProblem } from '../../ui/toast/toasts.js';
import { textForUser } from '../../state/user-data.js';
import { valueForUser } from '../../state/read-user-data.js';
import { sessionQuery } from '../session.js';
import { showPreferences, shownPreferences } from '../../state/preferences/browser.js';
import { allPreferences, preferencesIn, readPreferences, type SomePreferences, withChanges } from '../../state/preferences/preferences.js';
import { t } from './texts.js';

/*
 * The preferences that follow the account from browser to browser.
 */

/** Their key on the service. */
const KEY = 'preferences';
/** The browser's key for changes that the service has not saved yet, because the page was left or the connection was lost. */
const UNSAVED = 'unsaved-preferences';

/** Reads and writes run one after the other, so that the last of two changes wins. */
const takeTurns = atMost(1);
const inTurn = (run: () => Promise<void>): Promise<void> => takeTurns(new AbortController().signal, run);

/** User whose preferences these are. Null in a session for one device, which may have been handed to another person. */
function owner(): string | null {
  const session = queryClient.getQueryData(sessionQuery.queryKey) ?? null;
  return session === null || session.deviceId !== null ? null : session.user.id;
}

const unsavedOf = (userId: string): SomePreferences => preferencesIn(Object(valueForUser(localStorage.getItem(UNSAVED), userId)) as object);

function keepUnsaved(userId: string, unsaved: SomePreferences): void {
  if (Object.keys(unsaved).length > 0) localStorage.setItem(UNSAVED, textForUser(userId, unsaved));
  else localStorage.removeItem(UNSAVED);
}

/** Changes preferences: in this browser at once, and for the account. If the service cannot store them now, the next page tries again. */
export function changePreferences(changes: SomePreferences): void {
  const userId = owner();
  if (userId !== null) keepUnsaved(userId, { ...unsavedOf(userId), ...changes });
  adopt(changes);
  if (userId !== null) void save(userId);
}

/** Shows changes, if any are. */
function adopt(changes: SomePreferences): void {
  const before = shownPreferences();
  const next = { ...before, ...changes };
  if (JSON.stringify(next) === JSON.stringify(before)) return;
  showPreferences(next);
  // Texts are part of what the page has built by now.
  if (next.language !== before.language) location.reload();
}

/** The message that says that something is not saved: there is never more than one. */
let message = 0;

async function save(userId: string): Promise<void> {
  try {
    await inTurn(() => saveNow(userId));
    dismissToast(message);
  } catch (error) {
    dismissToast(message);
    const text = t('unsaved', { reason: describeProblem(problemOf(error)) });
    message = toastProblem(text, { label: t('retry'), run: () => void save(userId) });
  }
}

async function saveNow(userId: string): Promise<void> {
  const told = unsavedOf(userId);
  if (Object.keys(told).length === 0) return;
  await changeStored(KEY, (stored) => withChanges(stored, shownPreferences(), told));
  // Changes made during the request are sent next.
  const left = Object.entries(unsavedOf(userId)).filter(([name, value]) => told[name as keyof SomePreferences] !== value);
  keepUnsaved(userId, Object.fromEntries(left));
}

/** User whose preferences this page has asked for. */
let asked: string | null = null;

/** Shows the preferences of the account, once in a page. A user who has none yet keeps the look of the browser. */
export async function bringPreferences(): Promise<void> {
  const userId = owner();
  if (userId === null || userId === asked) return;
  asked = userId;
  // Without an answer the browser keeps its look: the next page asks again.
  await inTurn(() => bringNow(userId)).catch(() => undefined);
  await save(userId);
}

async function bringNow(userId: string): Promise<void> {
  const stored = readPreferences(await readStored(KEY));
  // Changes made here count, though the service does not have them yet.
  adopt({ ...(stored === null ? {} : allPreferences(stored)), ...unsavedOf(userId) });
}
