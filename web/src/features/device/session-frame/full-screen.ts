import { useSyncExternalStore } from 'react';

import { toastProblem } from '../../../ui/toast/toasts.js';
import { t } from '../texts.js';

/** Browsers that can hand all keys to a page in full screen, such as Alt+Tab. */
interface WithKeyboardLock {
  readonly keyboard?: { readonly lock?: () => Promise<void>; readonly unlock?: () => void };
}

/**
 * Shows the page on the whole screen and takes all keys, or puts it back: dialogs and menus would stand behind a part of it. Says so where
 * the browser refuses.
 */
export async function toggleFullScreen(): Promise<void> {
  const { keyboard } = navigator as WithKeyboardLock;
  try {
    if (document.fullscreenElement !== null) {
      keyboard?.unlock?.();
      await document.exitFullscreen();
      return;
    }
    await document.documentElement.requestFullscreen();
  } catch {
    toastProblem(t('full-screen-refused'));
    return;
  }
  // Full screen is useful without the system's keys, too.
  await keyboard?.lock?.().catch(() => undefined);
}

function subscribe(listener: () => void): () => void {
  document.addEventListener('fullscreenchange', listener);
  return () => document.removeEventListener('fullscreenchange', listener);
}

/** True while the page is shown on the whole screen, all of which then belongs to a session. */
export const useIsPageFull = (): boolean => useSyncExternalStore(subscribe, () => document.fullscreenElement === document.documentElement);
