import { Injectable } from '@nestjs/common';

import type { Principal } from '../../access/authentication/principals/principal.js';
import type { RequestContext } from '../../access/authentication/principals/request-context.js';
import { browserSessionIdOf, Sessions } from '../../access/authentication/sessions/sessions.js';
import { SecurityLog, type SecurityOrigin } from '../../access/security-log/security-log.js';
import { forbidden, unauthorized } from '../../platform/common/errors/errors.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { Settings } from '../../platform/config/settings.js';
import { UnitOfWork } from '../../platform/database/queries/unit-of-work.js';
import { Accounts } from '../users/accounts.js';
import { IdentityCheck, type Proof } from './identity-check.js';
import { refusedIdentity } from './refused-identity.js';

const MINUTE_MS = 60_000;

/** Lets the user of a session prove once more to be there, which opens the routes that change credentials for a while. */
@Injectable()
export class StepUp {
  constructor(
    private readonly check: IdentityCheck,
    private readonly accounts: Accounts,
    private readonly sessions: Sessions,
    private readonly securityLog: SecurityLog,
    private readonly unitOfWork: UnitOfWork,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** Checks a proof and returns the end of its validity; 401 when it is wrong. */
  async prove(context: RequestContext, userId: string, proof: Partial<Proof>, origin: SecurityOrigin): Promise<Date> {
    const sessionId = requireBrowserSession(context.principal);
    const account = await this.accounts.find(context.manager, userId);
    if (account === null) throw unauthorized('The account was deleted.');
    const outcome = await this.check.again(account, sessionId, proof, origin);
    if (outcome.kind === 'Refused' || outcome.kind === 'LockedOut') throw refusedIdentity(outcome, this.clock.milliseconds());
    return this.accept(context, userId, origin);
  }

  /** Notes that the user of the session has proved to be there, and returns the end of that proof's validity. */
  async accept(context: RequestContext, userId: string, origin: SecurityOrigin): Promise<Date> {
    const sessionId = requireBrowserSession(context.principal);
    await this.unitOfWork.run(context, async (tx) => {
      const account = await this.accounts.lock(tx, userId);
      await this.sessions.prove(tx, sessionId);
      await this.securityLog.write(tx.manager, { user: account, kind: 'IdentityProven' }, origin);
    });
    return new Date(this.clock.milliseconds() + this.settings.appOptions.stepUpAfterMinutes * MINUTE_MS);
  }
}

/** Returns the session of a browser, which a proof belongs to; 403 for other credentials, before anything is checked and counted. */
export function requireBrowserSession(principal: Principal): string {
  const sessionId = browserSessionIdOf(principal);
  if (sessionId === null)
    throw forbidden('Only the session of a browser can be confirmed again. A program that uses bearer tokens signs in again.');
  return sessionId;
}
