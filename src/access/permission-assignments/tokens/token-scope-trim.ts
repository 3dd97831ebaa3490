import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

import { EMPTY_GUID } from '../../../platform/common/identifiers/guid.js';
import { UnitOfWork } from '../../../platform/database/queries/unit-of-work.js';
import { systemContext } from '../../authentication/principals/request-context.js';
import { ChangeLog, ChangeTarget } from '../../authorization/change-log/change-log.js';
import { RulesRepository } from '../../authorization/evaluation/rules.repository.js';
import { PermissionPrincipalKind } from '../../authorization/permissions/permission.js';
import { AssignmentReferencesRepository } from '../assignment-references.repository.js';
import { exceedsOwner } from '../assignment-rules.js';
import type { PrincipalReference } from '../assignment.js';
import type { PermissionAssignment } from '../permission-assignment.entity.js';
import { PermissionAssignmentsRepository, type TokenWithRows } from '../permission-assignments.repository.js';

/** Tokens that one query reads. */
const BATCH = 500;

/**
 * Removes from personal access tokens the permissions that their owners no longer hold. A token never reaches further than its owner
 * anyway, but without this its list would show too much, and a right that the owner gets back would silently return to old tokens.
 */
@Injectable()
export class TokenScopeTrim {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly repository: PermissionAssignmentsRepository,
    private readonly references: AssignmentReferencesRepository,
    private readonly rules: RulesRepository,
    private readonly changeLog: ChangeLog,
    private readonly dataSource: DataSource,
  ) {}

  /** Deletes the enabled Allows of tokens that exceed their owners' rights and returns how many. Stops early when aborted. */
  async run(signal: AbortSignal): Promise<number> {
    const { manager } = this.dataSource;
    let removed = 0;
    let tokens: TokenWithRows[] = [];
    do {
      tokens = await this.repository.tokensWithRows(manager, tokens.at(-1)?.id ?? EMPTY_GUID, BATCH);
      for (const token of tokens) {
        if (signal.aborted) return removed;
        // Checked without a lock first: nearly every token is within its owner's rights.
        if ((await this.exceeding(manager, token)).length > 0) removed += await this.trim(token);
      }
    } while (tokens.length === BATCH);
    return removed;
  }

  private trim(token: TokenWithRows): Promise<number> {
    return this.unitOfWork.run(systemContext('token-scope-trim', this.dataSource.manager), async (tx) => {
      await this.repository.lockWriting(tx.manager, [referenceTo(token)]);
      const rows = await this.exceeding(tx.manager, token);
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

  private async exceeding(manager: EntityManager, token: TokenWithRows): Promise<PermissionAssignment[]> {
    const owner = await this.rules.ruleSet(manager, PermissionPrincipalKind.User, token.ownerId, token.tenantId);
    const exceeding: PermissionAssignment[] = [];
    for (const row of await this.repository.ofPrincipal(manager, token.tenantId, referenceTo(token))) {
      if (!row.isEnabled) continue;
      const scope = await this.references.scope(manager, token.tenantId, row);
      if (exceedsOwner(owner, row, scope)) exceeding.push(row);
    }
    return exceeding;
  }
}

function referenceTo({ id }: TokenWithRows): PrincipalReference {
  return { principalKind: PermissionPrincipalKind.PersonalAccessToken, principalId: id };
}
