import { Injectable } from '@nestjs/common';

import type { InTransaction } from '../../../platform/database/queries/unit-of-work.js';
import { Topic } from '../../../platform/database/triggers/invalidation-topics.js';
import type { RequestContext } from '../../authentication/principals/request-context.js';
import { ChangeLog, ChangeTarget, type Change } from '../../authorization/change-log/change-log.js';
import { PermissionPrincipalKind } from '../../authorization/permissions/permission.js';
import { AssignmentLifecycle } from '../assignment-lifecycle.js';
import { IssuedTokensRepository, type IssuedToken } from './issued-tokens.repository.js';

/** Tokens that are logged with one statement. Any number can be issued with a token. */
const BATCH = 1_000;

/**
 * The tokens that end with the key or token that they were issued with. The database deletes them with it; this logs them and has the caches
 * forget them. Call it right before credentials are revoked or deleted, in the transaction that does so.
 */
@Injectable()
export class IssuedTokens {
  constructor(
    private readonly repository: IssuedTokensRepository,
    private readonly assignments: AssignmentLifecycle,
    private readonly changeLog: ChangeLog,
  ) {}

  /** Logs the tokens that end with keys and tokens. The latter themselves are not logged. */
  async logEnded(tx: InTransaction<RequestContext>, credentialIds: readonly string[]): Promise<void> {
    const tokens = await this.repository.lockIssuedWith(tx.manager, credentialIds);
    for (let from = 0; from < tokens.length; from += BATCH) await this.logSome(tx, tokens.slice(from, from + BATCH));
  }

  /** Logs the tokens that end with a user or service account, which is deleted with its keys and tokens. */
  async logEndedOf(tx: InTransaction<RequestContext>, ownerId: string): Promise<void> {
    await this.logEnded(tx, await this.repository.credentialsOf(tx.manager, ownerId));
  }

  private async logSome(tx: InTransaction<RequestContext>, tokens: readonly IssuedToken[]): Promise<void> {
    await this.assignments.logRemoved(tx, {
      principals: tokens.map(({ kind, id }) => ({ principalKind: PermissionPrincipalKind[kind], principalId: id })),
    });
    for (const { id } of tokens) tx.transaction.touch(Topic.Credential, id);
    await this.changeLog.write(tx, ...tokens.map(endOf));
  }
}

function endOf({ kind, id, tenantId, ...before }: IssuedToken): Change {
  const action = kind === 'LogonToken' ? 'logon-token-deleted' : 'personal-access-token-deleted';
  return { action, target: ChangeTarget[kind], targetId: id, tenantId, before };
}
