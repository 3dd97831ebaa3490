import { Injectable } from '@nestjs/common';

import { AuthenticationService, earlierOf } from '../../access/authentication/authentication.service.js';
import { isSignedIn, type Principal } from '../../access/authentication/principals/principal.js';
import type { TenantContext } from '../../access/authentication/principals/request-context.js';
import { ChangeLog, ChangeTarget } from '../../access/authorization/change-log/change-log.js';
import { Escalation } from '../../access/authorization/escalation/escalation.js';
import { PermissionPrincipalKind } from '../../access/authorization/permissions/permission.js';
import { AssignmentLifecycle } from '../../access/permission-assignments/assignment-lifecycle.js';
import { IssuedTokens } from '../../access/permission-assignments/tokens/issued-tokens.js';
import { forbidden, invalid, invalidField, notFound } from '../../platform/common/errors/errors.js';
import { newGuid } from '../../platform/common/identifiers/guid.js';
import { formatKey, hashSecret, newSecret } from '../../platform/common/identifiers/secret.js';
import type { Pages } from '../../platform/common/resources/pages.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { lockNamesUntilCommit, NamedAdvisoryLock } from '../../platform/database/locks/advisory-locks.js';
import { UnitOfWork, type InTransaction } from '../../platform/database/queries/unit-of-work.js';
import { Topic } from '../../platform/database/triggers/invalidation-topics.js';
import { UsersService } from '../users/users.service.js';
import {
  MAXIMUM_TOKENS,
  type CreatePersonalAccessTokenRequestDto,
  type CreatePersonalAccessTokenResponseDto,
  type PersonalAccessTokenResponseDto,
} from './personal-access-token.dto.js';
import { PersonalAccessToken, PersonalAccessTokenPermissionMode } from './personal-access-token.entity.js';
import { PersonalAccessTokensRepository } from './personal-access-tokens.repository.js';

type Tx = InTransaction<TenantContext>;

const TOKEN = 'The personal access token';
const CONFIGURED_NAME = 'Bootstrap Token';
const UNIQUE_NAME = { uq_personal_access_tokens_user_id_name: 'The user already has a personal access token with this name.' };

/** Tokens that act as their user, with all of the user's rights or with those that the token carries. */
@Injectable()
export class PersonalAccessTokensService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly repository: PersonalAccessTokensRepository,
    private readonly users: UsersService,
    private readonly authentication: AuthenticationService,
    private readonly assignments: AssignmentLifecycle,
    private readonly issuedTokens: IssuedTokens,
    private readonly escalation: Escalation,
    private readonly changeLog: ChangeLog,
    private readonly clock: Clock,
  ) {}

  /** The tokens of a user of the tenant, newest first, without their secrets. */
  async list(context: TenantContext, userId: string): Promise<Pages<PersonalAccessTokenResponseDto>> {
    await this.users.requireExisting(context, userId);
    return this.repository.list(context.manager, userId);
  }

  /** Creates a token for the calling user. A token that is created with a Restricted token has no more rights than that one. */
  async createOwn(context: TenantContext, request: CreatePersonalAccessTokenRequestDto): Promise<CreatePersonalAccessTokenResponseDto> {
    const userId = userIdOf(context.principal);
    requireSound(context.principal, request, this.clock.milliseconds());
    return this.create(context, userId, request, (tx) =>
      this.escalation.requireTokenPermissions(tx, request.scopes ?? [], 'A token cannot create a token with more rights than its own.'),
    );
  }

  /**
   * Creates a token for any user of the tenant. Its recipient can act as the user, so the caller must hold everything
   * that the user holds.
   */
  async createFor(
    context: TenantContext,
    userId: string,
    request: CreatePersonalAccessTokenRequestDto,
  ): Promise<CreatePersonalAccessTokenResponseDto> {
    await this.users.requireExisting(context, userId);
    requireSound(context.principal, request, this.clock.milliseconds());
    const holder = { kind: PermissionPrincipalKind.User, id: userId, tenantId: context.tenantId };
    return this.create(context, userId, request, (tx) =>
      this.escalation.requireAllRightsOf(tx, holder, 'Creating a token for a user lets you act as that user.'),
    );
  }

  /** Stores the token that the configuration gives to a new user. It has all rights of the user and does not expire. */
  async createConfigured(tx: Tx, userId: string, { id, secret }: { readonly id: string; readonly secret: string }): Promise<void> {
    const token = tx.manager.create(PersonalAccessToken, {
      id,
      createdAt: this.clock.now(),
      userId,
      name: CONFIGURED_NAME,
      hashedSecret: hashSecret(secret),
      permissionMode: PersonalAccessTokenPermissionMode.InheritOwner,
      expiresAt: null,
      createdByUserId: null,
    });
    await tx.manager.insert(PersonalAccessToken, token);
    await this.log(tx, 'personal-access-token-created', token, { after: stateOf(token) });
  }

  /** Renames a token. */
  async rename(context: TenantContext, userId: string, id: string, name: string): Promise<PersonalAccessTokenResponseDto> {
    return this.unitOfWork.run(
      context,
      async (tx) => {
        const token = await this.lock(tx, userId, id);
        const before = stateOf(token);
        token.name = name;
        await tx.manager.update(PersonalAccessToken, { id }, { name });
        await this.log(tx, 'personal-access-token-updated', token, { before, after: stateOf(token) });
        return this.repository.one(tx.manager, userId, id);
      },
      UNIQUE_NAME,
    );
  }

  /**
   * Deletes a token with its assignments, and the tokens that were made with it. The next request with any of them is refused. No other
   * rule prevents the deletion, so a leaked token can always be removed.
   */
  async remove(context: TenantContext, userId: string, id: string): Promise<void> {
    await this.unitOfWork.run(context, async (tx) => {
      const token = await this.lock(tx, userId, id);
      await this.assignments.logRemoved(tx, {
        principals: [{ principalKind: PermissionPrincipalKind.PersonalAccessToken, principalId: id }],
      });
      await this.issuedTokens.logEnded(tx, [id]);
      await tx.manager.delete(PersonalAccessToken, { id });
      await this.log(tx, 'personal-access-token-deleted', token, { before: stateOf(token) });
      tx.transaction.touch(Topic.Credential, id);
    });
  }

  private async create(
    context: TenantContext,
    userId: string,
    { name, permissionMode, scopes, expiresAt }: CreatePersonalAccessTokenRequestDto,
    requireRights: (tx: Tx) => Promise<void>,
  ): Promise<CreatePersonalAccessTokenResponseDto> {
    const secret = newSecret();
    return this.unitOfWork.run(
      context,
      async (tx) => {
        await this.users.hold(tx, userId);
        await requireRights(tx);
        await requireRoom(tx, userId);
        const { madeWithCredentialId, makerExpiresAt } = await this.authentication.bindToken(tx);
        const token = tx.manager.create(PersonalAccessToken, {
          id: newGuid(),
          createdAt: this.clock.now(),
          userId,
          name,
          hashedSecret: hashSecret(secret),
          permissionMode,
          madeWithCredentialId,
          expiresAt: earlierOf(expiresAt, makerExpiresAt),
          createdByUserId: tx.principal.type === 'User' ? tx.principal.id : null,
        });
        await tx.manager.insert(PersonalAccessToken, token);
        await this.log(tx, 'personal-access-token-created', token, { after: stateOf(token) });
        await this.giveScopes(tx, token, scopes ?? []);
        const personalAccessToken = await this.repository.one(tx.manager, userId, token.id);
        return { personalAccessToken, plainTextToken: formatKey(token.id, secret) };
      },
      UNIQUE_NAME,
    );
  }

  private async giveScopes(
    tx: Tx,
    token: PersonalAccessToken,
    scopes: CreatePersonalAccessTokenRequestDto['scopes'] & object,
  ): Promise<void> {
    if (scopes.length === 0) return;
    await this.assignments.grantToToken(tx, token.id, scopes);
    await this.log(tx, 'credential-scope-set', token, { after: { scopeCount: scopes.length } });
  }

  private async lock(tx: Tx, userId: string, id: string): Promise<PersonalAccessToken> {
    await this.users.hold(tx, userId);
    const token = await tx.manager.findOne(PersonalAccessToken, { where: { id, userId }, lock: { mode: 'pessimistic_write' } });
    if (token === null) throw notFound(TOKEN);
    return token;
  }

  private log(
    tx: Tx,
    action: string,
    token: PersonalAccessToken,
    states: { readonly before?: object; readonly after?: object },
  ): Promise<void> {
    const target = ChangeTarget.PersonalAccessToken;
    return this.changeLog.write(tx, { action, target, targetId: token.id, tenantId: tx.tenantId, ...states });
  }
}

/** The id of the calling user; only users have tokens of their own. */
export function userIdOf(principal: Principal): string {
  if (principal.type !== 'User') throw forbidden('Personal access tokens belong to users: a service account has none.');
  return principal.id;
}

/** 400 when the user has as many tokens as possible. Others that create one for the user wait until the transaction ends. */
async function requireRoom({ manager }: Tx, userId: string): Promise<void> {
  await lockNamesUntilCommit(manager, NamedAdvisoryLock.OwnerTexts, [`personal_access_tokens:${userId}`]);
  if ((await manager.countBy(PersonalAccessToken, { userId })) < MAXIMUM_TOKENS) return;
  throw invalid(`A user can have at most ${MAXIMUM_TOKENS} personal access tokens. Delete one first.`);
}

/** 400 for a request that is wrong for any token. */
function requireSound(principal: Principal, request: CreatePersonalAccessTokenRequestDto, now: number): void {
  if (request.expiresAt !== null && request.expiresAt.getTime() <= now) throw invalidField('expiresAt', 'expiresAt must be in the future.');
  if (request.permissionMode !== PersonalAccessTokenPermissionMode.InheritOwner) return;
  if (request.scopes !== null && request.scopes.length > 0) {
    throw invalidField('scopes', 'scopes must be empty: a token that inherits from its owner carries no permissions of its own.');
  }
  if (principal.type === 'User' && !isSignedIn(principal)) {
    throw invalid('A token cannot create a token that inherits all rights of its owner: sign in to create one.');
  }
}

function stateOf({ name, userId, permissionMode, expiresAt }: PersonalAccessToken): object {
  return { name, userId, permissionMode, expiresAt };
}
