import { t } from '../later-texts.js';
import { toast, toastProblem } from '../toast/toasts.js';

/** Copies a text, and says `done` if given. If the page may not copy, it says that. Returns true if the text was copied. */
export async function copyText(text: string, done?: string): Promise<boolean> {
  try {
    // Pages without a secure connection have no clipboard at all.
    await navigator.clipboard.writeText(text);
  } catch {
    toastProblem(t('copy-failed'));
    return false;
  }
  if (done !== undefined) toast(done);
  return true;
}
