import { Injectable } from '@nestjs/common';

import type { TenantContext } from '../../access/authentication/principals/request-context.js';
import { mapPages, type Pages } from '../../platform/common/resources/pages.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { expiryOf } from '../invites/activation-code.js';
import { Accounts } from '../users/accounts.js';
import type { UserInviteDto, UserStandingDto } from './user-standing.dto.js';
import { stateOf } from './user-standing.js';
import { UserStandingsRepository, type StandingRow } from './user-standings.repository.js';

/** The standing of a tenant's users: who may sign in, how, and when they did last. */
@Injectable()
export class UserStandingsService {
  constructor(
    private readonly repository: UserStandingsRepository,
    private readonly accounts: Accounts,
    private readonly clock: Clock,
  ) {}

  /** The standing of all users of the tenant, by name. */
  list({ manager, tenantId }: TenantContext): Pages<UserStandingDto> {
    const now = this.clock.now();
    const { mustBeConfirmed } = this.accounts;
    return mapPages(this.repository.list(manager, tenantId), (row) => ({
      userId: row.userId,
      state: stateOf(row, now, mustBeConfirmed),
      lastSignIn: row.lastLogin,
      hasAuthenticatorApp: row.hasAuthenticatorApp,
      hasPasskey: row.hasPasskey,
      suspendedAt: row.suspendedAt,
      lockedUntil: row.lockoutEnd !== null && row.lockoutEnd > now ? row.lockoutEnd : null,
      visitEnds: row.visitEnds,
      invite: inviteOf(row),
    }));
  }
}

function inviteOf({ inviteId, invitedAt, inviteExpiresAt }: StandingRow): UserInviteDto | null {
  if (inviteId === null || invitedAt === null) return null;
  return { id: inviteId, createdAt: invitedAt, expiresAt: expiryOf({ createdAt: invitedAt, expiresAt: inviteExpiresAt }) };
}
