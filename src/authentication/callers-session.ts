import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import type { InTransaction } from '../database/unit-of-work.js';
import { BearerSessions } from './bearer-sessions/bearer-sessions.js';
import type { Principal } from './principal.js';
import { sessionIdOf, Sessions } from './sessions/sessions.js';

/** The session in which a caller acts: that of a browser, or that of bearer tokens. */
@Injectable()
export class CallersSession {
  constructor(
    private readonly sessions: Sessions,
    private readonly bearerSessions: BearerSessions,
  ) {}

  /** Lets the caller's session go on although the stamp of its user changed: the change was made in it. Other credentials have none. */
  async keep(tx: InTransaction<{ readonly manager: EntityManager; readonly principal: Principal }>, securityStamp: string): Promise<void> {
    const { principal } = tx;
    const sessionId = sessionIdOf(principal);
    if (sessionId !== null) await this.sessions.keep(tx, sessionId, securityStamp);
    if (principal.type === 'User' && principal.credential.type === 'Bearer') {
      await this.bearerSessions.keep(tx, principal.credential.id, securityStamp);
    }
  }
}
