import { Injectable } from '@nestjs/common';

import { userIdOf } from '../../access/authentication/principals/principal.js';
import type { RequestContext } from '../../access/authentication/principals/request-context.js';
import { sessionIdOf, Sessions } from '../../access/authentication/sessions/sessions.js';
import { browserName } from '../../access/authentication/visitors/browser-name.js';
import { SecurityLog, type SecurityOrigin } from '../../access/security-log/security-log.js';
import { notFound } from '../../platform/common/errors/errors.js';
import { UnitOfWork, type InTransaction } from '../../platform/database/queries/unit-of-work.js';
import { Accounts } from '../users/accounts.js';
import type { OwnSessionDto } from './account.dto.js';

/** Most sessions that are listed. */
const MAXIMUM_SESSIONS = 200;

/** The sessions of the calling user. */
@Injectable()
export class OwnSessions {
  constructor(
    private readonly sessions: Sessions,
    private readonly accounts: Accounts,
    private readonly securityLog: SecurityLog,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** The open sessions, the last used first. */
  async list({ manager, principal }: RequestContext): Promise<OwnSessionDto[]> {
    const current = sessionIdOf(principal);
    const sessions = await this.sessions.list(manager, userIdOf(principal), MAXIMUM_SESSIONS);
    return sessions.map(({ id, createdAt, lastUsedAt, expiresAt, method, userAgent, remoteAddress }) => ({
      id,
      createdAt,
      lastUsedAt,
      expiresAt,
      method,
      device: browserName(userAgent),
      remoteAddress,
      isCurrent: id === current,
    }));
  }

  /** Ends a session, with its hub connections; 404 when the user has none of that id. */
  async end(context: RequestContext, id: string, origin: SecurityOrigin): Promise<void> {
    await this.unitOfWork.run(context, async (tx) => {
      if (!(await this.sessions.end(tx, userIdOf(tx.principal), id))) throw notFound('The session');
      await this.note(tx, 1, origin);
    });
  }

  /** Ends all sessions but the one of the request, and returns how many. */
  endOthers(context: RequestContext, origin: SecurityOrigin): Promise<number> {
    return this.unitOfWork.run(context, async (tx) => {
      const count = await this.sessions.endOthers(tx, userIdOf(tx.principal), sessionIdOf(tx.principal));
      if (count > 0) await this.note(tx, count, origin);
      return count;
    });
  }

  private async note(tx: InTransaction<RequestContext>, count: number, origin: SecurityOrigin): Promise<void> {
    const user = await this.accounts.lock(tx, userIdOf(tx.principal));
    await this.securityLog.write(
      tx.manager,
      { user, kind: 'SessionEnded', detail: count === 1 ? '1 session' : `${count} sessions` },
      origin,
    );
  }
}
