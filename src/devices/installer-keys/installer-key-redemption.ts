import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

import type { RequestContext } from '../../access/authentication/principals/request-context.js';
import { ChangeLog, ChangeTarget } from '../../access/authorization/change-log/change-log.js';
import { NamedTenants } from '../../access/authorization/guard/named-tenants.js';
import { newGuid } from '../../platform/common/identifiers/guid.js';
import { hashSecret, secretMatches } from '../../platform/common/identifiers/secret.js';
import { Clock } from '../../platform/common/runtime/clock.js';
import { UnitOfWork, type InTransaction } from '../../platform/database/queries/unit-of-work.js';
import { KeyState, logStateOf, stateOf } from './installer-key-rules.js';
import { KeyCustomersRepository } from './key-customers.repository.js';
import { InstallerKey, InstallerKeyUsage, type InstallerKeyCreatorKind } from './installer-key.entity.js';

/** The owner of a usable key: the key's rights depend on its creator. */
export interface KeyOwner {
  readonly id: string;
  readonly tenantId: string;
  readonly creatorId: string;
  readonly creatorKind: `${InstallerKeyCreatorKind}`;
  /** The Restricted token with which a user made the key: the key carries no more than that token. Null for keys made otherwise. */
  readonly creatorTokenId: string | null;
}

/** Compared with when there is no such key, so that an unknown id takes as long as a wrong secret. */
const NO_SECRET = hashSecret('');

/** Checks and uses the installer keys that agents present. */
@Injectable()
export class InstallerKeyRedemption {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly changeLog: ChangeLog,
    private readonly clock: Clock,
    private readonly tenants: NamedTenants,
    private readonly customers: KeyCustomersRepository,
  ) {}

  /**
   * The owner of a key; null for an unknown id, a wrong secret, and a key that is expired or has no uses left, which is deleted. Does
   * not count as a use.
   */
  async check(context: RequestContext, id: string, secret: string): Promise<KeyOwner | null> {
    const key = await this.find(context.manager, id, secret);
    if (key === null) return null;
    const state = stateOf(key, this.clock.milliseconds());
    if (state === KeyState.Usable) return key;
    await this.unitOfWork.run(context, async (tx) => {
      const { affected } = await tx.manager.delete(InstallerKey, { id });
      if (affected === 0) return;
      await this.changeLog.write(tx, {
        action: state === KeyState.Expired ? 'installer-key-expired' : 'installer-key-exhausted',
        target: ChangeTarget.InstallerKey,
        targetId: id,
        tenantId: key.tenantId,
        before: logStateOf(key),
      });
    });
    return null;
  }

  /** The owner of a key as `check` answers it, for a look before a registration: it deletes nothing. */
  async look(manager: EntityManager, id: string, secret: string): Promise<KeyOwner | null> {
    const key = await this.find(manager, id, secret);
    return key !== null && stateOf(key, this.clock.milliseconds()) === KeyState.Usable ? key : null;
  }

  /**
   * The key with this id and secret, whether it is usable or not; null for an unknown id, a wrong secret and the key of a deleted tenant.
   */
  private async find(manager: EntityManager, id: string, secret: string): Promise<InstallerKey | null> {
    const key = await manager.findOne(InstallerKey, { where: { id } });
    if (!secretMatches(secret, key?.hashedSecret ?? NO_SECRET) || key === null) return null;
    return (await this.tenants.exists(key.tenantId)) ? key : null;
  }

  /**
   * Uses a key for a registration, in its transaction; false when the key is not usable any more. Locks the row, so that registrations
   * at the same time never exceed the allowed uses.
   */
  async consume(tx: InTransaction<RequestContext>, id: string, secret: string, deviceId: string, address: string | null): Promise<boolean> {
    const key = await tx.manager.findOne(InstallerKey, { where: { id }, lock: { mode: 'pessimistic_write' } });
    if (key === null || !secretMatches(secret, key.hashedSecret)) return false;
    if (stateOf(key, this.clock.milliseconds()) !== KeyState.Usable) return false;
    await tx.manager.update(InstallerKey, { id }, { usageCount: key.usageCount + 1 });
    await tx.manager.insert(InstallerKeyUsage, {
      id: newGuid(),
      createdAt: this.clock.now(),
      tenantId: key.tenantId,
      installerKeyId: id,
      deviceId,
      remoteIpAddress: address,
    });
    return true;
  }

  /** The customer that new devices of a key get, who is not deleted until the transaction ends; null for none. */
  async holdCustomer({ manager }: InTransaction<RequestContext>, { id, tenantId }: KeyOwner): Promise<string | null> {
    return this.customers.hold(manager, tenantId, id);
  }
}
