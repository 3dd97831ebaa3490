import { useSyncExternalStore } from 'react';

/** Windows narrower than this have the layout of a phone; the same number stands in the style sheets. */
const PHONE = '(max-width: 759px)';

/** Whether a media query holds, kept up to date. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    () => matchMedia(query).matches,
  );
}

/** Whether the window is as narrow as a phone: for parts whose elements differ there; else use the style sheet. */
export const usePhone = (): boolean => useMedia(PHONE);
