/*
 * Sessions that only one tab may have. Browsers copy the memory of a tab that is duplicated; the copy must not take the sessions of the
 * first one. A claim lasts until it is released, at the latest with the page.
 */

/** Time in which a page that is being left releases its sessions, in milliseconds. */
const CLAIM_TIMEOUT = 3000;

/** Claims of this page, with the functions that release them. */
const claims = new Map<string, () => void>();

/** Claims under way: a second caller waits for the same answer. */
const claiming = new Map<string, Promise<boolean>>();

/** Pages without a secure connection have no locks. */
export const hasLocks = (): boolean => 'locks' in navigator;

export function release(name: string): void {
  claims.get(name)?.();
  claims.delete(name);
}

/** Checks that this tab may use what has this name. */
export async function claim(name: string): Promise<boolean> {
  if (!hasLocks() || claims.has(name)) return true;
  const answer = claiming.get(name) ?? askFor(name).finally(() => claiming.delete(name));
  claiming.set(name, answer);
  return answer;
}

function askFor(name: string): Promise<boolean> {
  return new Promise((resolve) => {
    navigator.locks
      .request(name, { signal: AbortSignal.timeout(CLAIM_TIMEOUT) }, () => {
        resolve(true);
        return new Promise<void>((giveBack) => claims.set(name, giveBack));
      })
      .catch(() => resolve(false));
  });
}
