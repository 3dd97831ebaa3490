import { isOutdated } from '../../problem/problem.js';
import { toastProblem } from '../toast/toasts.js';
import { t } from './texts.js';

/** Takes back a change, unless another editor has changed the thing since. */
export async function undo(change: () => Promise<unknown>): Promise<void> {
  try {
    await change();
  } catch (error) {
    toastProblem(isOutdated(error) ? t('not-undone') : error);
  }
}
