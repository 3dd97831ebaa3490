import type { Visitor } from '../../access/authentication/visitors/visitors.js';
import { hashSecret } from '../../platform/common/identifiers/secret.js';
import { addressBlock } from '../../platform/http/addresses/address-block.js';

/** Source of an attempt to prove an identity. Failures are counted for each source by itself. */
export interface AttemptSource {
  readonly key: string;
  /** True for a session of the user, or a browser in which the user signed in before: guesses of others never lock it. */
  readonly isOwn: boolean;
}

/** The source of a sign-in: the browser, if the user of the name has signed in with it before, else the address. */
export function sourceOfVisitor({ browser, remoteAddress }: Visitor, isOwnBrowser: boolean): AttemptSource {
  if (browser !== null && isOwnBrowser) return { key: `browser:${hashSecret(browser).toString('hex')}`, isOwn: true };
  return { key: `address:${addressBlock(remoteAddress)}`, isOwn: false };
}

/** The source of a proof within a session. */
export function sourceOfSession(sessionId: string): AttemptSource {
  return { key: `session:${sessionId}`, isOwn: true };
}
