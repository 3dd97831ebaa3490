import { Body, Controller, Get, Put } from '@nestjs/common';

import { Context, type TenantContext } from '../../access/authentication/principals/request-context.js';
import { RequireAccess, TenantInQuery } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import type { ExpectedTags } from '../../platform/common/resources/entity-tag.js';
import { GuidParam } from '../../platform/http/binding/route-parameters.js';
import { IfMatch, Tagged } from '../../platform/http/bodies/entity-tags.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import { ChangeKeyCustomerRequestDto, KeyCustomerDto } from './key-customer.dto.js';
import { keyCustomerState, KeyCustomersService } from './key-customers.service.js';

const KEY_ID = 'Id of the installer key.';
const UNKNOWN = 'The tenant has no such key.';

/** Customers of installer keys, beside the contract's routes of keys. */
@Group('KeyCustomers')
@TenantInQuery()
@Controller('api/inventory/installer-keys')
export class KeyCustomersController {
  constructor(private readonly customers: KeyCustomersService) {}

  @Get(':keyId/customer')
  @Tagged(keyCustomerState)
  @RequireAccess(Permission.InstallerKeyRead)
  @Describe('Read the customer of an installer key', 'For keys of other users, the caller needs `installer-key.manage-all`.')
  @Answers(200, 'The customer.', KeyCustomerDto, { 404: UNKNOWN })
  get(@Context() context: TenantContext, @GuidParam('keyId', KEY_ID) keyId: string): Promise<KeyCustomerDto> {
    return this.customers.get(context, keyId);
  }

  @Put(':keyId/customer')
  @Tagged(keyCustomerState)
  @RequireAccess(Permission.TenantCustomersWrite)
  @Describe(
    'Change the customer of an installer key',
    'Devices that register with the key for the first time get the customer, unless their agent names another one. Registered devices keep theirs. For keys of other users, the caller needs `installer-key.manage-all`.',
  )
  @Answers(200, 'The changed customer.', KeyCustomerDto, { 404: UNKNOWN })
  change(
    @Context() context: TenantContext,
    @GuidParam('keyId', KEY_ID) keyId: string,
    @Body() { customerId }: ChangeKeyCustomerRequestDto,
    @IfMatch() expected: ExpectedTags | undefined,
  ): Promise<KeyCustomerDto> {
    return this.customers.change(context, keyId, customerId, expected);
  }
}
