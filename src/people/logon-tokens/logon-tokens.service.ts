import { Injectable } from '@nestjs/common';

import { AuthenticationService, earlierOf } from '../../access/authentication/authentication.service.js';
import { idOf, requireNoLogonToken } from '../../access/authentication/principals/principal.js';
import type { TenantContext } from '../../access/authentication/principals/request-context.js';
import { ChangeLog, ChangeTarget } from '../../access/authorization/change-log/change-log.js';
import { AuthorizationService } from '../../access/authorization/evaluation/authorization.service.js';
import type { DeviceResource } from '../../access/authorization/evaluation/rules.js';
import type { PermissionDefinition } from '../../access/authorization/permissions/permission.js';
import { AssignmentLifecycle } from '../../access/permission-assignments/assignment-lifecycle.js';
import { forbidden, invalidField } from '../../platform/common/errors/errors.js';
import { newGuid } from '../../platform/common/identifiers/guid.js';
import { formatKey, hashSecret, newSecret } from '../../platform/common/identifiers/secret.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { UnitOfWork, type InTransaction } from '../../platform/database/queries/unit-of-work.js';
import { ExternalUsersService } from '../users/external-users.service.js';
import type { CreateLogonTokenForExternalRequestDto, CreateLogonTokenForUserRequestDto, LogonTokenResponseDto } from './logon-token.dto.js';
import { LogonToken } from './logon-token.entity.js';
import { LogonTokensRepository } from './logon-tokens.repository.js';
import { tokenPermissions, type TokenPermissions } from './token-permissions.js';

/** The part of a request that does not depend on the kind of user. */
type TokenRequest = Omit<CreateLogonTokenForUserRequestDto, 'userId' | 'tenantId'>;

/** The user that a token signs in. */
interface TokenUser {
  readonly id: string;
  /** The id of an external user in the caller's system; null for other users. */
  readonly correlationId: string | null;
}

const MINUTE_MS = 60_000;

/**
 * Creates tokens that open one browser session on the page of one device. The session acts as the user, but with the token's
 * permissions only, and those never exceed what the creator holds, then or later. It makes no tokens itself.
 */
@Injectable()
export class LogonTokensService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly repository: LogonTokensRepository,
    private readonly externalUsers: ExternalUsersService,
    private readonly assignments: AssignmentLifecycle,
    private readonly authentication: AuthenticationService,
    private readonly authorization: AuthorizationService,
    private readonly changeLog: ChangeLog,
    private readonly clock: Clock,
  ) {}

  /** Creates a token for a user of the tenant. 400 when the tenant has no such user or device. */
  createForUser(context: TenantContext, request: CreateLogonTokenForUserRequestDto): Promise<LogonTokenResponseDto> {
    const { userId } = request;
    return this.create(context, request, async (tx) => {
      if (!(await this.repository.holdUser(tx.manager, tx.tenantId, userId))) throw invalidField('userId', 'The tenant has no such user.');
      return { id: userId, correlationId: null };
    });
  }

  /** Creates a token for a person of another system, and an external user for that person if there is none yet. */
  createForExternal(context: TenantContext, request: CreateLogonTokenForExternalRequestDto): Promise<LogonTokenResponseDto> {
    const { userCorrelationId: correlationId, userDisplayName: displayName } = request;
    return this.create(context, request, async (tx) => {
      const { id } = await this.externalUsers.findOrCreate(tx, { correlationId, displayName });
      return { id, correlationId };
    });
  }

  private async create(
    context: TenantContext,
    request: TokenRequest,
    findUser: (tx: InTransaction<TenantContext>) => Promise<TokenUser>,
  ): Promise<LogonTokenResponseDto> {
    requireNoLogonToken(context.principal);
    const device = await this.authorization.device(request.deviceId);
    if (device === null || device.tenantId !== context.tenantId) throw noSuchDevice();
    const permissions = tokenPermissions(request.permissions);
    return this.unitOfWork.run(context, async (tx) => {
      if (!(await this.repository.holdDevice(tx.manager, tx.tenantId, device.id))) throw noSuchDevice();
      const carried = await this.carriedBy(tx, permissions, device);
      return this.issue(tx, request, await findUser(tx), carried);
    });
  }

  private async issue(
    tx: InTransaction<TenantContext>,
    { deviceId, expirationMinutes, sessionCorrelationId, allowedDesktopSessionIds, sessionExpirationMinutes }: TokenRequest,
    user: TokenUser,
    permissions: readonly PermissionDefinition[],
  ): Promise<LogonTokenResponseDto> {
    const secret = newSecret();
    const now = this.clock.now();
    const wantedEnd = new Date(now.getTime() + expirationMinutes * MINUTE_MS);
    const { madeWithCredentialId, makerExpiresAt } = await this.authentication.bindToken(tx);
    const row = tx.manager.create(LogonToken, {
      id: newGuid(),
      createdAt: now,
      tenantId: tx.tenantId,
      deviceId,
      userId: user.id,
      hashedSecret: hashSecret(secret),
      expiresAt: earlierOf(wantedEnd, makerExpiresAt) ?? wantedEnd,
      madeWithCredentialId,
      makerKind: tx.principal.type === 'User' ? 'User' : 'ServiceAccount',
      makerId: idOf(tx.principal),
      makerExpiresAt,
      consumedAt: null,
      userCorrelationId: user.correlationId,
      sessionCorrelationId,
      allowedDesktopSessionIds: allowedDesktopSessionIds === null ? null : [...new Set(allowedDesktopSessionIds)],
      sessionExpirationMinutes,
    });
    await tx.manager.insert(LogonToken, row);
    await this.assignments.grantToLogonToken(tx, row, permissions);
    const { id, tenantId } = row;
    await this.changeLog.write(tx, {
      action: 'logon-token-created',
      target: ChangeTarget.LogonToken,
      targetId: id,
      tenantId,
      after: {
        deviceId,
        userId: user.id,
        userCorrelationId: user.correlationId,
        sessionCorrelationId,
        expiresAt: row.expiresAt,
        sessionExpirationMinutes,
        allowedDesktopSessionIds: row.allowedDesktopSessionIds,
        permissions: permissions.map(({ name }) => name),
      },
    });
    const token = formatKey(id, secret);
    // The characters of a token need no encoding in a query.
    return { deviceAccessUrl: `/device-access?deviceId=${deviceId}&logonToken=${token}`, expiresAt: row.expiresAt, token };
  }

  /** The permissions of a new token: the named ones, each of which its maker must hold, and those of the added ones that it holds. */
  private async carriedBy(
    { principal, manager }: InTransaction<TenantContext>,
    { named, added }: TokenPermissions,
    device: DeviceResource,
  ): Promise<PermissionDefinition[]> {
    const rights = this.authorization.storedRights(manager);
    const carried: PermissionDefinition[] = [];
    for (const permission of added) if (await rights.isAllowed(principal, permission, device)) carried.push(permission);
    for (const permission of named) {
      if (!(await rights.isAllowed(principal, permission, device))) {
        throw forbidden(`A logon token can only carry what its creator holds: you do not hold ${permission.name} on the device.`);
      }
      carried.push(permission);
    }
    return carried;
  }
}

function noSuchDevice(): Error {
  return invalidField('deviceId', 'The tenant has no such device.');
}
