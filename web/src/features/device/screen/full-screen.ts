/** Browsers that can hand all keys to a page in full screen, such as Alt+Tab. */
interface WithKeyboardLock {
  readonly keyboard?: { readonly lock?: () => Promise<void>; readonly unlock?: () => void };
}

/** Shows an element on the whole screen and takes all keys, or puts it back. */
export async function toggleFullScreen(element: HTMLElement | null): Promise<void> {
  const { keyboard } = navigator as WithKeyboardLock;
  if (document.fullscreenElement !== null) {
    keyboard?.unlock?.();
    return document.exitFullscreen();
  }
  await element?.requestFullscreen();
  // Without the keys of the system the screen works all the same.
  await keyboard?.lock?.().catch(() => undefined);
}
