import { onPreferences, shownPreferences } from '../../../state/preferences/browser.js';
import { type Ground, groundOf } from './colours.js';

const systemIsDark = matchMedia('(prefers-color-scheme: dark)');

/** The ground that terminals have now. */
export const currentGround = (): Ground => groundOf(shownPreferences(), systemIsDark.matches);

/** Calls `listener` whenever the ground may be another one, until the returned function is called. */
export function onGround(listener: () => void): () => void {
  const stop = onPreferences(listener);
  systemIsDark.addEventListener('change', listener);
  return () => {
    stop();
    systemIsDark.removeEventListener('change', listener);
  };
}
