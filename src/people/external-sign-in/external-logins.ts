import { Injectable } from '@nestjs/common';
import { In, type EntityManager } from 'typeorm';

import { userIdOf } from '../../access/authentication/principals/principal.js';
import type { RequestContext } from '../../access/authentication/principals/request-context.js';
import { Sessions } from '../../access/authentication/sessions/sessions.js';
import { SecurityLog, type SecurityOrigin } from '../../access/security-log/security-log.js';
import { notFound } from '../../platform/common/errors/errors.js';
import { newGuid } from '../../platform/common/identifiers/guid.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { UnitOfWork, type InTransaction } from '../../platform/database/queries/unit-of-work.js';
import { WaysToSignIn, type WayToSignIn } from '../sign-in/ways-to-sign-in.js';
import { Accounts, type Account } from '../users/accounts.js';
import { ExternalLogin } from './external-login.entity.js';
import { ExternalSignInError, type ExternalIdentity } from './external-provider.js';
import { ExternalProviders } from './external-providers.js';

type Tx = InTransaction<RequestContext>;

/** Most logins of a user. */
export const MAXIMUM_LOGINS = 20;
/** Longest issuer and subject that are stored; the standard allows subjects of 255 characters. */
const MAXIMUM_ISSUER_LENGTH = 500;
const MAXIMUM_SUBJECT_LENGTH = 255;
/** Longest stored part of a name or an address, in characters. */
const MAXIMUM_TEXT_LENGTH = 256;

/** The logins at other providers that users have connected with their accounts. */
@Injectable()
export class ExternalLogins implements WayToSignIn {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly providers: ExternalProviders,
    private readonly accounts: Accounts,
    private readonly sessions: Sessions,
    private readonly securityLog: SecurityLog,
    private readonly ways: WaysToSignIn,
    private readonly clock: Clock,
  ) {
    ways.add(this);
  }

  /** Checks that a user has a login at a configured provider. Logins at providers that are no longer configured do not sign in. */
  isOpenTo(manager: EntityManager, userId: string): Promise<boolean> {
    return manager.existsBy(ExternalLogin, { userId, provider: In(this.providers.names.map(({ name }) => name)) });
  }

  /** The logins of a user, oldest first. There are at most {@link MAXIMUM_LOGINS}. */
  list(manager: EntityManager, userId: string): Promise<ExternalLogin[]> {
    return manager.find(ExternalLogin, { where: { userId }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  /** The login of an identity at a provider; null when no account is connected with it. */
  find(manager: EntityManager, provider: string, identity: ExternalIdentity): Promise<ExternalLogin | null> {
    return manager.findOneBy(ExternalLogin, keyOf(provider, identity));
  }

  /** Notes that a login was used, and the person's present name there; false if it has been removed since it was read. */
  async noteUse({ manager }: Pick<Tx, 'manager'>, { id, userId }: ExternalLogin, identity: ExternalIdentity): Promise<boolean> {
    const { affected } = await manager.update(ExternalLogin, { id, userId }, { ...shownOf(identity), lastUsedAt: this.clock.now() });
    return affected === 1;
  }

  /** Connects a login with the account of the calling user. A login of another account stays there. */
  async connect(context: RequestContext, provider: string, identity: ExternalIdentity, origin: SecurityOrigin): Promise<void> {
    await this.unitOfWork.run(context, async (tx) => {
      const account = await this.accounts.lock(tx, userIdOf(tx.principal));
      const known = await this.find(tx.manager, provider, identity);
      if (known?.userId !== account.id) await this.add(tx, account, provider, identity, origin);
    });
  }

  /** Adds a login to an account, which must be locked or new. */
  async add(tx: Tx, account: Account, provider: string, identity: ExternalIdentity, origin: SecurityOrigin): Promise<void> {
    if ((await tx.manager.countBy(ExternalLogin, { userId: account.id })) >= MAXIMUM_LOGINS) throw new ExternalSignInError('TooManyLogins');
    const login = { id: newGuid(), userId: account.id, ...keyOf(provider, identity), ...shownOf(identity) };
    const isNew = await this.insert(tx, { ...login, createdAt: this.clock.now(), lastUsedAt: null });
    if (!isNew) throw new ExternalSignInError('ConnectedElsewhere');
    await this.securityLog.write(tx.manager, { user: account, kind: 'ExternalLoginAdded', detail: provider }, origin);
    await this.accounts.log(tx, 'user-external-login-added', account, { after: stateOf(login) });
  }

  /**
   * Disconnects a login of the calling user, whose other sessions end: the login may have opened them. 404 when the user has no such
   * login, 409 when there would be no way left to sign in.
   */
  async remove(context: RequestContext, id: string, origin: SecurityOrigin): Promise<void> {
    await this.unitOfWork.run(context, async (tx) => {
      const account = await this.accounts.lock(tx, userIdOf(tx.principal));
      const login = await tx.manager.findOneBy(ExternalLogin, { id, userId: account.id });
      if (login === null) throw notFound('The login');
      await tx.manager.delete(ExternalLogin, { id });
      await this.ways.requireOne(tx, account, origin);
      await this.sessions.keepCallers(tx, await this.accounts.renewStamp(tx, account));
      await this.securityLog.write(tx.manager, { user: account, kind: 'ExternalLoginRemoved', detail: login.provider }, origin);
      await this.accounts.log(tx, 'user-external-login-removed', account, { before: stateOf(login) });
    });
  }

  /** Returns false if a user already has this login. */
  private async insert({ manager }: Tx, login: ExternalLogin): Promise<boolean> {
    const inserting = manager.createQueryBuilder().insert().into(ExternalLogin).values(login).orIgnore().returning('id');
    const { raw } = await inserting.execute();
    return (raw as unknown[]).length === 1;
  }
}

function keyOf(provider: string, { issuer, subject }: ExternalIdentity): Pick<ExternalLogin, 'provider' | 'issuer' | 'subject'> {
  if (issuer.length > MAXIMUM_ISSUER_LENGTH || subject.length > MAXIMUM_SUBJECT_LENGTH) throw new ExternalSignInError('ProviderFailed');
  return { provider, issuer, subject };
}

function shownOf({ displayName, email }: ExternalIdentity): Pick<ExternalLogin, 'displayName' | 'email'> {
  return { displayName: storable(displayName), email: storable(email) };
}

/** A provider's text in a form that the database accepts. */
function storable(text: string | null): string | null {
  return text?.toWellFormed().replaceAll('\0', '').slice(0, MAXIMUM_TEXT_LENGTH) ?? null;
}

function stateOf({ id, provider, issuer, subject }: Pick<ExternalLogin, 'id' | 'provider' | 'issuer' | 'subject'>): object {
  return { externalLoginId: id, provider, issuer, subject };
}
