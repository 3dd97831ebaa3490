import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import { userIdOf } from '../../access/authentication/principals/principal.js';
import type { RequestContext } from '../../access/authentication/principals/request-context.js';
import { sessionIdOf } from '../../access/authentication/sessions/sessions.js';
import { SecurityLog, type SecurityOrigin } from '../../access/security-log/security-log.js';
import { conflict, invalidField, notFound } from '../../platform/common/errors/errors.js';
import { newGuid } from '../../platform/common/identifiers/guid.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { UnitOfWork, type InTransaction } from '../../platform/database/queries/unit-of-work.js';
import { AccountMails } from '../mail/account-mails.js';
import { WaysToSignIn, type WayToSignIn } from '../sign-in/ways-to-sign-in.js';
import { Accounts, type Account } from '../users/accounts.js';
import { PasskeyChallenges, staleChallenge } from './passkey-challenges.js';
import type { AddPasskeyRequestDto, PasskeyDto } from './passkey.dto.js';
import { Passkey } from './passkey.entity.js';
import { RelyingParties, type RelyingParty } from './relying-party.js';
import type { ChallengeUse } from './signed-challenge.js';
import type { PasskeyCreationOptionsDto } from './webauthn.dto.js';
import { challengeIn, checkCreated, creationOptions } from './webauthn.js';

/** A new passkey and its owner. */
interface Added {
  readonly account: Account;
  readonly passkey: Passkey;
}

/** Most passkeys of a user. */
export const MAXIMUM_PASSKEYS = 100;

const UNIQUE_CREDENTIAL = { uq_passkeys_credential_id: 'This passkey was already added.' };

/** The passkeys of the users: adding, renaming, removing. Sessions stay open; changes need a recent proof of the user's presence. */
@Injectable()
export class PasskeysService implements WayToSignIn {
  private readonly logger = new Logger('Passkeys');

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly challenges: PasskeyChallenges,
    private readonly parties: RelyingParties,
    private readonly accounts: Accounts,
    private readonly securityLog: SecurityLog,
    private readonly mails: AccountMails,
    private readonly ways: WaysToSignIn,
    private readonly clock: Clock,
  ) {
    ways.add(this);
  }

  /** Checks that a user has a passkey, and the service a domain name for it. */
  async isOpenTo(manager: EntityManager, userId: string): Promise<boolean> {
    return this.parties.arePossible && (await this.hasAny(manager, userId));
  }

  /** The passkeys of a user, oldest first. There are at most {@link MAXIMUM_PASSKEYS}. */
  list(manager: EntityManager, userId: string): Promise<Passkey[]> {
    return manager.find(Passkey, { where: { userId }, order: { createdAt: 'ASC', id: 'ASC' } });
  }

  /** Checks that a user has a passkey. */
  hasAny(manager: EntityManager, userId: string): Promise<boolean> {
    return manager.existsBy(Passkey, { userId });
  }

  /** Returns the options with which the user's browser makes a passkey; 409 when there are too many. */
  async creationOptions(context: RequestContext, party: RelyingParty): Promise<PasskeyCreationOptionsDto> {
    const { manager, principal } = context;
    const userId = userIdOf(principal);
    const account = await this.accounts.find(manager, userId);
    if (account === null) throw notFound('The account');
    const known = await this.list(manager, userId);
    requireRoom(known.length);
    return creationOptions(party, account, known, this.challenges.issue(registrationIn(context)));
  }

  /** Adds a passkey that the browser of the user has made. */
  async add(
    context: RequestContext,
    { name, credential }: AddPasskeyRequestDto,
    party: RelyingParty,
    origin: SecurityOrigin,
  ): Promise<PasskeyDto> {
    const text = (await challengeIn(credential)) ?? '';
    const challenge = this.challenges.read(registrationIn(context), text);
    if (challenge === null) throw staleChallenge();
    const { value: created, reason } = await checkCreated(credential, text, party);
    if (created === undefined) {
      this.logger.warn({ message: 'A new passkey was refused.', userId: userIdOf(context.principal), reason });
      throw invalidField('credential', 'The service cannot accept this passkey. Create a new one on a page of the service.');
    }
    const addTo = async (tx: InTransaction<RequestContext>): Promise<Added> => {
      const account = await this.accounts.lock(tx, userIdOf(context.principal));
      requireRoom(await tx.manager.countBy(Passkey, { userId: account.id }));
      if (!(await this.challenges.useUp(tx.manager, challenge))) throw staleChallenge();
      const passkey = { id: newGuid(), createdAt: this.clock.now(), userId: account.id, name, lastUsedAt: null, ...created };
      await tx.manager.insert(Passkey, passkey);
      await this.securityLog.write(tx.manager, { user: account, kind: 'PasskeyAdded', detail: name }, origin);
      await this.accounts.log(tx, 'user-passkey-added', account, { after: { passkeyId: passkey.id, name } });
      return { account, passkey };
    };
    const { account, passkey } = await this.unitOfWork.run(context, addTo, UNIQUE_CREDENTIAL);
    this.mails.passkeyAdded(account, name, origin);
    return describePasskey(passkey);
  }

  /** Gives a passkey of the user another name; 404 when the user has no such passkey. */
  rename(context: RequestContext, id: string, name: string, origin: SecurityOrigin): Promise<PasskeyDto> {
    return this.unitOfWork.run(context, async (tx) => {
      const { account, passkey } = await this.lock(tx, id);
      await tx.manager.update(Passkey, { id }, { name });
      await this.securityLog.write(tx.manager, { user: account, kind: 'PasskeyRenamed', detail: name }, origin);
      const states = { before: { passkeyId: id, name: passkey.name }, after: { passkeyId: id, name } };
      await this.accounts.log(tx, 'user-passkey-renamed', account, states);
      return describePasskey({ ...passkey, name });
    });
  }

  /**
   * Removes a passkey of the user, which does not sign in from then on; 404 when the user has no such passkey, 409 when there would be
   * no way left to sign in.
   */
  remove(context: RequestContext, id: string, origin: SecurityOrigin): Promise<void> {
    return this.unitOfWork.run(context, async (tx) => {
      const { account, passkey } = await this.lock(tx, id);
      await tx.manager.delete(Passkey, { id });
      await this.ways.requireOne(tx, account, origin);
      await this.securityLog.write(tx.manager, { user: account, kind: 'PasskeyRemoved', detail: passkey.name }, origin);
      await this.accounts.log(tx, 'user-passkey-removed', account, { before: { passkeyId: id, name: passkey.name } });
    });
  }

  /** A passkey of the calling user with its account, which is locked: changes of an account's passkeys take turns. */
  private async lock(tx: InTransaction<RequestContext>, id: string) {
    const account = await this.accounts.lock(tx, userIdOf(tx.principal));
    const passkey = await tx.manager.findOneBy(Passkey, { id, userId: account.id });
    if (passkey === null) throw notFound('The passkey');
    return { account, passkey };
  }
}

/** A passkey as the API shows it. */
export function describePasskey({ id, name, createdAt, lastUsedAt, deviceType, isBackedUp }: Passkey): PasskeyDto {
  return { id, name, createdAt, lastUsedAt, deviceType, isBackedUp };
}

function requireRoom(count: number): void {
  if (count >= MAXIMUM_PASSKEYS) throw conflict(`A user may have at most ${MAXIMUM_PASSKEYS} passkeys. Delete one first.`);
}

/** A challenge for a new passkey counts in the session that asked for it. */
function registrationIn({ principal }: RequestContext): ChallengeUse {
  return { purpose: 'registration', holder: sessionIdOf(principal) ?? '' };
}
