import { Injectable } from '@nestjs/common';

import type { TenantContext } from '../../access/authentication/principals/request-context.js';
import { ChangeLog, ChangeTarget } from '../../access/authorization/change-log/change-log.js';
import { invalidField } from '../../platform/common/errors/errors.js';
import { TaggedState, type ExpectedTags } from '../../platform/common/resources/entity-tag.js';
import { UnitOfWork } from '../../platform/database/queries/unit-of-work.js';
import { InstallerKeysService } from './installer-keys.service.js';
import type { KeyCustomerDto } from './key-customer.dto.js';
import { KeyCustomersRepository } from './key-customers.repository.js';

/** The editable state of the customer of a key. */
export const keyCustomerState = new TaggedState(({ customerId }: KeyCustomerDto) => ({ customerId }));

/** The customers that new devices get when they register with a key. */
@Injectable()
export class KeyCustomersService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly repository: KeyCustomersRepository,
    private readonly keys: InstallerKeysService,
    private readonly changeLog: ChangeLog,
  ) {}

  /** The customer of a key. 404 when there is no such key, 403 when the caller may not see it. */
  async get(context: TenantContext, keyId: string): Promise<KeyCustomerDto> {
    await this.keys.require(context, keyId);
    return { customerId: await this.repository.find(context.manager, context.tenantId, keyId) };
  }

  /**
   * Changes the customer of a key; devices that registered with it before stay where they are. 400 for a customer that the tenant does
   * not have, 412 when the key has no expected one.
   */
  async change(
    context: TenantContext,
    keyId: string,
    customerId: string | null,
    expected: ExpectedTags | undefined,
  ): Promise<KeyCustomerDto> {
    return this.unitOfWork.run(context, async (tx) => {
      const { manager, tenantId } = tx;
      await this.keys.hold(tx, keyId);
      const before: KeyCustomerDto = { customerId: await this.repository.find(manager, tenantId, keyId) };
      keyCustomerState.require(expected, before);
      if (before.customerId === customerId) return before;
      if (customerId === null) await this.repository.remove(manager, keyId);
      else if (!(await this.repository.write(manager, tenantId, keyId, customerId))) {
        throw invalidField('customerId', 'The tenant has no such customer.');
      }
      const after: KeyCustomerDto = { customerId };
      const target = { target: ChangeTarget.InstallerKey, targetId: keyId, tenantId };
      await this.changeLog.write(tx, { action: 'installer-key-customer-changed', ...target, before, after });
      return after;
    });
  }
}
