/** Longest path to which the service leads back. */
const LONGEST_PATH = 500;

/**
 * Address at which a sign-in at another provider begins. It leads back to the sign-in page: that one goes on to `next` with the session, or
 * names the error.
 */
export function providerStart(provider: string, next: string | undefined): string {
  const path = next === undefined ? '/signin' : `/signin?${new URLSearchParams({ next })}`;
  const returnPath = path.length <= LONGEST_PATH ? path : '/signin';
  return `/account/external/${encodeURIComponent(provider)}/start?${new URLSearchParams({ returnPath })}`;
}

/** Path to which a provider leads back after a visit from a page: that page, without its search if the address is too long. */
export function returnPathTo(href: string): string {
  const path = href.length <= LONGEST_PATH ? href : href.replace(/[?#].*$/, '');
  return path.length <= LONGEST_PATH ? path : '/';
}
