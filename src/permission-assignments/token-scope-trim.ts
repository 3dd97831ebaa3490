import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

import { systemContext } from '../authentication/request-context.js';
import { ChangeLog, ChangeTarget } from '../authorization/change-log.js';
import { findPermission, PermissionEffect, PermissionPrincipalKind } from '../authorization/permission.js';
import { countingRules, RuleSet } from '../authorization/rules.js';
import { RulesRepository } from '../authorization/rules.repository.js';
import { EMPTY_GUID } from '../common/guid.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { PermissionAssignment } from './permission-assignment.entity.js';
import { PermissionAssignmentsRepository, type TokenWithRows } from './permission-assignments.repository.js';

/** Tokens that are read at once. */
const BATCH = 500;

/**
 * Takes from personal access tokens what their owners no longer hold. Decisions intersect the rows of a token with its
 * owner's anyway: this keeps lists honest, and a right that comes back to the owner from coming back to old tokens unseen.
 */
@Injectable()
export class TokenScopeTrim {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly repository: PermissionAssignmentsRepository,
    private readonly rules: RulesRepository,
    private readonly changeLog: ChangeLog,
    private readonly dataSource: DataSource,
  ) {}

  /** Deletes enabled Allow rows of tokens that go beyond their owners' rights and says how many. */
  async run(signal: AbortSignal): Promise<number> {
    const { manager } = this.dataSource;
    let removed = 0;
    let tokens: TokenWithRows[] = [];
    do {
      tokens = await this.repository.tokensWithRows(manager, tokens.at(-1)?.id ?? EMPTY_GUID, BATCH);
      for (const token of tokens) {
        if (signal.aborted) return removed;
        // Looked at without a lock first: nearly every token is within its bounds.
        if ((await this.beyondOwner(manager, token)).length > 0) removed += await this.trim(token);
      }
    } while (tokens.length === BATCH);
    return removed;
  }

  private trim(token: TokenWithRows): Promise<number> {
    return this.unitOfWork.run(systemContext('token-scope-trim', this.dataSource.manager), async (tx) => {
      await this.repository.lockWriting(tx.manager, [referenceTo(token)]);
      const rows = await this.beyondOwner(tx.manager, token);
      await this.repository.remove(tx.manager, rows);
      tx.transaction.touch(PermissionPrincipalKind.PersonalAccessToken, token.id);
      await this.changeLog.write(
        tx,
        ...rows.map(({ permissionName, scopeKind, scopeId }) => ({
          action: 'credential-scope-trim',
          target: ChangeTarget.PersonalAccessToken,
          targetId: token.id,
          tenantId: token.tenantId,
          before: { permissionName, scopeKind, scopeId },
        })),
      );
      return rows.length;
    });
  }

  private async beyondOwner(manager: EntityManager, token: TokenWithRows): Promise<PermissionAssignment[]> {
    const stored = await this.rules.load(PermissionPrincipalKind.User, token.ownerId, manager);
    const owner = new RuleSet(countingRules(token, stored.rows));
    const beyond: PermissionAssignment[] = [];
    for (const row of await this.repository.ofPrincipal(manager, token.tenantId, referenceTo(token))) {
      if (!row.isEnabled || row.effect !== PermissionEffect.Allow) continue;
      const permission = findPermission(row.permissionName);
      const scope = await this.repository.scope(manager, token.tenantId, row);
      if (permission === undefined || scope === null || !owner.decide(permission, scope).allowed) beyond.push(row);
    }
    return beyond;
  }
}

function referenceTo({ id }: TokenWithRows): { readonly principalKind: PermissionPrincipalKind; readonly principalId: string } {
  return { principalKind: PermissionPrincipalKind.PersonalAccessToken, principalId: id };
}
