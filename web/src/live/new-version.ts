import { store } from '../state/store.js';
import { hubState } from './hub.js';
import { currentSessions } from './sessions/sessions.js';

/*
 * Check for a newer version of these pages on the service. It runs when the connection comes back, as it does after an update of the
 * service, and when a part of the pages cannot be loaded any more.
 */

/** True if a newer version is known. */
export const newVersion = store(false, 'stays');

/** Watches for a newer version. Returns a function that ends this. */
export function watchVersion(): () => void {
  // The first connection comes right after the pages: there is nothing to ask yet.
  let wasLive = hubState.get().kind === 'live';
  const stop = hubState.subscribe(() => {
    if (hubState.get().kind !== 'live') return;
    if (wasLive) void ask();
    wasLive = true;
  });
  addEventListener('vite:preloadError', onMissingPart);
  return () => {
    stop();
    removeEventListener('vite:preloadError', onMissingPart);
  };
}

/** The names of scripts change with their contents: another version starts with another one. */
async function ask(): Promise<void> {
  const started = document.querySelector<HTMLScriptElement>('script[type=module][src]');
  if (newVersion.get() || started === null) return;
  const answer = await fetch('/', { headers: { accept: 'text/html' }, cache: 'no-cache' }).catch(() => null);
  // While the service is updated, something else may answer in its place.
  if (answer?.ok !== true || (await answer.text()).includes(new URL(started.src).pathname)) return;
  newVersion.set(true);
}

/**
 * The router reloads the page, once, when the code of the next page is missing. That brings the newer version, but not if the service does
 * not answer, and it must not end running sessions.
 */
function onMissingPart({ payload }: VitePreloadErrorEvent): void {
  void ask();
  if (currentSessions().length > 0 || hubState.get().kind !== 'live')
    sessionStorage.setItem(`tanstack_router_reload:${payload.message}`, '1');
}
