import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { SignInMethod } from '../../access/authentication/sessions/session.entity.js';
import { browserName } from '../../access/authentication/visitors/browser-name.js';
import type { Visitor } from '../../access/authentication/visitors/visitors.js';
import { EventKind } from '../../access/authorization/event-log/event-kinds.js';
import { EventLog } from '../../access/authorization/event-log/event-log.js';
import { SecurityLog } from '../../access/security-log/security-log.js';
import type { Account } from '../users/accounts.js';
import { KnownBrowsers, type Novelty } from './known-browsers.js';

/** The user and the visitor of a sign-in, within its transaction. */
interface Entrance {
  readonly manager: EntityManager;
  readonly account: Pick<Account, 'id' | 'tenantId' | 'userName'>;
  readonly visitor: Visitor;
}

/** Remembers from which browsers and networks users sign in, and writes an event when one is new to the account. */
@Injectable()
export class SignInNews {
  constructor(
    private readonly browsers: KnownBrowsers,
    private readonly securityLog: SecurityLog,
    private readonly events: EventLog,
  ) {}

  /** Notes a sign-in with a browser. */
  async ofBrowser(entrance: Entrance, browser: string, method: SignInMethod): Promise<void> {
    const { manager, account, visitor } = entrance;
    await this.tell(entrance, method, await this.browsers.remember(manager, account.id, browser, visitor.remoteAddress));
  }

  /** Notes a sign-in of a program, which has no browser. Call it before the security log has the sign-in. */
  async ofProgram(entrance: Entrance): Promise<void> {
    const { manager, account, visitor } = entrance;
    const earlier = await this.securityLog.signInAddresses(manager, account.id, this.browsers.memoryBegins());
    const isNewNetwork = await this.browsers.isNewNetwork(manager, account.id, visitor.remoteAddress, earlier);
    await this.tell(entrance, SignInMethod.Bearer, { isNewBrowser: false, isNewNetwork });
  }

  private async tell({ manager, account, visitor }: Entrance, method: SignInMethod, novelty: Novelty): Promise<void> {
    if (!novelty.isNewBrowser && !novelty.isNewNetwork) return;
    const { id, tenantId, userName: name } = account;
    const data = { method, address: visitor.remoteAddress, client: browserName(visitor.userAgent), ...novelty };
    await this.events.write(manager, [{ tenantId, kind: EventKind.UserSignedIn, actor: { kind: 'User', id, name }, data }]);
  }
}
