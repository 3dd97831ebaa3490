import { Injectable } from '@nestjs/common';

import { PasswordHasher } from '../../access/authentication/passwords/password-hasher.js';
import { chosenPasswordProblems } from '../../access/authentication/passwords/password-policy.js';
import { passwordSourceAt } from '../../access/authentication/passwords/password-source.js';
import type { RequestContext } from '../../access/authentication/principals/request-context.js';
import type { SecurityOrigin } from '../../access/security-log/security-log.js';
import { InvitesService, type PresentedInvite } from '../invites/invites.service.js';

/** Outcome of accepting an invite: the user, with the stamp of the account at that time, or the problem. */
export type Acceptance = { readonly userId: string; readonly provenStamp: string } | { readonly problem: string };

/** One sentence for a wrong code, a wrong address, and an invite that is over. */
const UNUSABLE = 'This invitation does not work: it was accepted or withdrawn, has expired, or is for another address.';

/** Lets an invited person take over the account that waits for them. */
@Injectable()
export class Invitations {
  constructor(
    private readonly invites: InvitesService,
    private readonly hasher: PasswordHasher,
  ) {}

  /** Accepts an invite with a password that the person chose. */
  async accept(context: RequestContext, presented: PresentedInvite, password: string, origin: SecurityOrigin): Promise<Acceptance> {
    // Without a valid code, no password is checked or hashed.
    if (!(await this.invites.canBeAccepted(context.manager, presented))) return { problem: UNUSABLE };
    const problems = await chosenPasswordProblems(password);
    if (problems.length > 0) return { problem: problems.join(' ') };
    const passwordHash = await this.hasher.hash(passwordSourceAt(origin.visitor.remoteAddress), password);
    const accepted = await this.invites.accept(context, presented, passwordHash, origin);
    return accepted === null ? { problem: UNUSABLE } : { userId: accepted.id, provenStamp: accepted.securityStamp };
  }
}
