import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

import type { Principal } from '../authentication/principal.js';
import { systemContext, type RequestContext, type TenantContext } from '../authentication/request-context.js';
import { AuthorizationService } from '../authorization/authorization.service.js';
import { ChangeLog, ChangeTarget } from '../authorization/change-log.js';
import { PermissionPrincipalKind, type PermissionDefinition } from '../authorization/permission.js';
import type { DeviceResource } from '../authorization/rules.js';
import { Clock } from '../common/clock.js';
import { forbidden, invalidField } from '../common/errors.js';
import { newGuid } from '../common/guid.js';
import { formatKey, hashSecret, newSecret } from '../common/secret.js';
import { Settings } from '../config/settings.js';
import { UnitOfWork, type InTransaction } from '../database/unit-of-work.js';
import { AssignmentLifecycle } from '../permission-assignments/assignment-lifecycle.js';
import { ExternalUsersService } from '../users/external-users.service.js';
import type { CreateLogonTokenForExternalRequestDto, CreateLogonTokenForUserRequestDto, LogonTokenResponseDto } from './logon-token.dto.js';
import { LogonToken } from './logon-token.entity.js';
import { LogonTokensRepository, type SpentToken } from './logon-tokens.repository.js';
import { tokenPermissions } from './token-permissions.js';

/** What a token is to open, for whomever. */
type TokenRequest = Omit<CreateLogonTokenForUserRequestDto, 'userId' | 'tenantId'>;

/** Whom the token signs in. */
interface TokenUser {
  readonly id: string;
  /** How the caller names an external user; null for others. */
  readonly correlationId: string | null;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Tokens that are removed in one transaction. */
const REMOVAL_BATCH = 500;

/**
 * Tokens that open one browser session on the page of one device (specification, "Logon token (external)"). A session
 * acts as the user but has the token's permissions only, which never go beyond the creator's.
 */
@Injectable()
export class LogonTokensService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly repository: LogonTokensRepository,
    private readonly externalUsers: ExternalUsersService,
    private readonly assignments: AssignmentLifecycle,
    private readonly authorization: AuthorizationService,
    private readonly changeLog: ChangeLog,
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly dataSource: DataSource,
  ) {}

  /** A token for a user of the tenant; 400 when the tenant has no such user or device. */
  createForUser(context: TenantContext, request: CreateLogonTokenForUserRequestDto): Promise<LogonTokenResponseDto> {
    const { userId } = request;
    return this.create(context, request, async (tx) => {
      if (!(await this.repository.holdUser(tx.manager, tx.tenantId, userId))) throw invalidField('userId', 'The tenant has no such user.');
      return { id: userId, correlationId: null };
    });
  }

  /** A token for a person of another system, whose external user is made if need be. */
  createForExternal(context: TenantContext, request: CreateLogonTokenForExternalRequestDto): Promise<LogonTokenResponseDto> {
    const { userCorrelationId: correlationId, userDisplayName: displayName } = request;
    return this.create(context, request, async (tx) => {
      const { id } = await this.externalUsers.findOrCreate(tx, { correlationId, displayName });
      return { id, correlationId: correlationId.trim() };
    });
  }

  /**
   * Removes tokens that nobody could use for `LogonTokenGrantCleanupAfterDays`, and what tokens left behind that are gone,
   * and says how many tokens that were.
   */
  async removeSpent(signal: AbortSignal): Promise<number> {
    const days = this.settings.appOptions.logonTokenGrantCleanupAfterDays;
    if (days < 1) return 0;
    const before = new Date(this.clock.milliseconds() - days * DAY_MS);
    let removed = 0;
    for (const find of ['lockExpired', 'orphaned'] as const) {
      for (let batch = REMOVAL_BATCH; batch === REMOVAL_BATCH && !signal.aborted; removed += batch) {
        batch = await this.removeSome((tx) => this.repository[find](tx.manager, before, REMOVAL_BATCH));
      }
    }
    return removed;
  }

  private async create(
    context: TenantContext,
    request: TokenRequest,
    findUser: (tx: InTransaction<TenantContext>) => Promise<TokenUser>,
  ): Promise<LogonTokenResponseDto> {
    const device = await this.authorization.device(request.deviceId);
    if (device === null || device.tenantId !== context.tenantId) throw noSuchDevice();
    const { named, carried } = tokenPermissions(request.permissions);
    // Decided before the transaction: a decision may need a connection of its own.
    await this.requireHeld(context.principal, named, device);
    requireOwnDesktops(context.principal, request.allowedDesktopSessionIds);
    return this.unitOfWork.run(context, async (tx) => {
      if (!(await this.repository.holdDevice(tx.manager, tx.tenantId, device.id))) throw noSuchDevice();
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
    const row = tx.manager.create(LogonToken, {
      id: newGuid(),
      createdAt: now,
      tenantId: tx.tenantId,
      deviceId,
      userId: user.id,
      hashedSecret: hashSecret(secret),
      expiresAt: new Date(now.getTime() + expirationMinutes * MINUTE_MS),
      consumedAt: null,
      userCorrelationId: user.correlationId,
      sessionCorrelationId,
      allowedDesktopSessionIds: allowedDesktopSessionIds === null ? null : [...new Set(allowedDesktopSessionIds)],
      sessionExpirationMinutes,
    });
    await tx.manager.insert(LogonToken, row);
    await this.assignments.grantToLogonToken(tx, row, permissions);
    const { id, tenantId, expiresAt } = row;
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
        expiresAt,
        sessionExpirationMinutes,
        allowedDesktopSessionIds: row.allowedDesktopSessionIds,
        permissions: permissions.map(({ name }) => name),
      },
    });
    const token = formatKey(id, secret);
    // Every character of a token is one that a query may carry as it is.
    return { deviceAccessUrl: `/device-access?deviceId=${deviceId}&logonToken=${token}`, expiresAt, token };
  }

  private async requireHeld(principal: Principal, named: readonly PermissionDefinition[], device: DeviceResource): Promise<void> {
    for (const permission of named) {
      if (await this.authorization.isAllowed(principal, permission, device)) continue;
      throw forbidden(`A logon token can only carry what its creator holds: you do not hold ${permission.name} on the device.`);
    }
  }

  private removeSome(find: (tx: InTransaction<RequestContext>) => Promise<SpentToken[]>): Promise<number> {
    return this.unitOfWork.run(systemContext('logon-tokens', this.dataSource.manager), async (tx) => {
      const tokens = await find(tx);
      await this.repository.remove(
        tx.manager,
        tokens.map(({ id }) => id),
      );
      for (const { id } of tokens) tx.transaction.touch(PermissionPrincipalKind.LogonToken, id);
      await this.changeLog.write(
        tx,
        ...tokens.map(({ id, tenantId, scopeCount }) => ({
          action: 'credential-scope-removed',
          target: ChangeTarget.LogonToken,
          targetId: id,
          tenantId,
          before: { scopeCount },
        })),
      );
      return tokens.length;
    });
  }
}

/** 403 when a session that is confined to some desktops makes a token that reaches others. */
function requireOwnDesktops(principal: Principal, wanted: readonly number[] | null): void {
  if (principal.type !== 'User' || principal.credential.type !== 'LogonToken') return;
  const own = principal.credential.allowedDesktopSessionIds;
  if (own === null || wanted?.every((id) => own.includes(id))) return;
  throw forbidden('A session that is confined to some desktop sessions can only hand out those: name them in allowedDesktopSessionIds.');
}

function noSuchDevice(): Error {
  return invalidField('deviceId', 'The tenant has no such device.');
}
