import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';

import { earlierOf } from '../../access/authentication/authentication.service.js';
import type { UserPrincipal } from '../../access/authentication/principals/principal.js';
import type { RequestContext } from '../../access/authentication/principals/request-context.js';
import { SignInMethod } from '../../access/authentication/sessions/session.entity.js';
import { ChangeLog, ChangeTarget } from '../../access/authorization/change-log/change-log.js';
import { unauthorized } from '../../platform/common/errors/errors.js';
import { parseKey, secretMatches, type PresentedKey } from '../../platform/common/identifiers/secret.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { UnitOfWork, type InTransaction } from '../../platform/database/queries/unit-of-work.js';
import { SignIn } from '../sign-in/sign-in.js';
import { LogonToken } from './logon-token.entity.js';
import { LogonTokensRepository } from './logon-tokens.repository.js';

const MINUTE_MS = 60_000;
const NOBODY = Buffer.alloc(32);

/** One sentence for every token that opens nothing, so that it does not tell which exist. */
const REFUSED = 'This link was already used, has expired, or belongs to another device. Ask for a new one where you got it.';

/** Exchanges logon tokens for sessions. */
@Injectable()
export class LogonTokenRedemption {
  constructor(
    private readonly repository: LogonTokensRepository,
    private readonly signIn: SignIn,
    private readonly unitOfWork: UnitOfWork,
    private readonly changeLog: ChangeLog,
    private readonly clock: Clock,
  ) {}

  /** The user whom a token would sign in, without using it up; 401 when it opens nothing. */
  async userOf(request: Request, deviceId: string, token: string): Promise<string> {
    const key = parsed(token);
    return this.unitOfWork.run(this.signIn.contextOf(request), async (tx) => (await this.usable(tx, key, deviceId)).userId);
  }

  /**
   * Signs the browser in as the user of the token, for the device of the token only. A token works once, also when it is opened
   * several times at once. 401 when it opens nothing.
   */
  async redeem(request: Request, response: Response, deviceId: string, token: string): Promise<void> {
    const key = parsed(token);
    const former = await this.signIn.formerOf(request);
    const opened = await this.unitOfWork.run(this.signIn.contextOf(request), async (tx) => {
      const row = await this.usable(tx, key, deviceId);
      const ownEnd = new Date(this.clock.milliseconds() + row.sessionExpirationMinutes * MINUTE_MS);
      const sessionEnds = earlierOf(ownEnd, row.makerExpiresAt) ?? ownEnd;
      await tx.manager.update(LogonToken, { id: row.id }, { consumedAt: this.clock.now() });
      const method = SignInMethod.LogonToken;
      const logonToken = { id: row.id, sessionEnds };
      const session = await this.signIn.open(tx, request, { userId: row.userId, method, isPersistent: false, logonToken }, former);
      await this.log(tx, row, session.id, sessionEnds);
      return session;
    });
    this.signIn.remember(response, opened);
  }

  /** The token of a key, locked; 401 when it opens nothing. */
  private async usable(
    { manager }: InTransaction<RequestContext>,
    { credentialId, secret }: PresentedKey,
    deviceId: string,
  ): Promise<LogonToken> {
    const row = await this.repository.lockUsable(manager, credentialId, deviceId, this.clock.now());
    const matches = secretMatches(secret, row?.hashedSecret ?? NOBODY);
    if (row === null || !matches) throw unauthorized(REFUSED);
    return row;
  }

  private log(tx: InTransaction<RequestContext>, row: LogonToken, sessionId: string, sessionEnds: Date): Promise<void> {
    const { id, tenantId, deviceId, userId, allowedDesktopSessionIds, userCorrelationId, sessionCorrelationId } = row;
    const credential = {
      type: 'LogonToken',
      id,
      sessionId,
      deviceId,
      allowedDesktopSessionIds,
      userCorrelationId,
      sessionCorrelationId,
      maker: null,
    } as const;
    const principal: UserPrincipal = { type: 'User', id: userId, tenantId, name: '', credential, mustChangePassword: false };
    const change = {
      action: 'logon-token-redeemed',
      target: ChangeTarget.LogonToken,
      targetId: id,
      tenantId,
      after: { deviceId, userId, sessionEnds },
    };
    return this.changeLog.write({ ...tx, principal }, change);
  }
}

function parsed(token: string): PresentedKey {
  const key = parseKey(token);
  if (key === null) throw unauthorized(REFUSED);
  return key;
}
