import { Body, Controller, Delete, Get, HttpCode, Post, Put, Res } from '@nestjs/common';
import type { Response } from 'express';

import { Context, type TenantContext } from '../../access/authentication/principals/request-context.js';
import { RequireAccess, TenantInQuery } from '../../access/authorization/guard/access.js';
import { Permission } from '../../access/authorization/permissions/permission.js';
import type { ExpectedTags } from '../../platform/common/resources/entity-tag.js';
import { LocatedAt } from '../../platform/http/addresses/created-location.js';
import { GuidParam } from '../../platform/http/binding/route-parameters.js';
import { IfMatch, Tagged } from '../../platform/http/bodies/entity-tags.js';
import { streamJson } from '../../platform/http/bodies/json-stream.js';
import { Answers, Describe, Group } from '../../system/openapi/operation.js';
import {
  AssignCustomerDevicesRequestDto,
  CreateCustomerRequestDto,
  CustomerDto,
  CustomersResponseDto,
  UpdateCustomerRequestDto,
} from './customer.dto.js';
import { customerState, CustomersService } from './customers.service.js';

const CUSTOMER_ID = 'Id of the customer.';
const UNKNOWN = 'The tenant has no such customer.';
const DENY = `\`${Permission.TenantPermissionsDeny.name}\``;

@Group('Customers')
@TenantInQuery()
@Controller('api/v1/customers')
export class CustomersController {
  constructor(private readonly customers: CustomersService) {}

  @Post()
  @Tagged(customerState)
  @RequireAccess(Permission.TenantCustomersWrite)
  @LocatedAt('/api/v1/customers/{id}?tenantId={tenantId}')
  @Describe('Create a customer', 'A new customer has no devices. Assign them afterwards.')
  @Answers(201, 'The new customer.', CustomerDto, {
    409: 'The tenant already has a customer with this name.',
  })
  create(@Context() context: TenantContext, @Body() body: CreateCustomerRequestDto): Promise<CustomerDto> {
    return this.customers.create(context, body);
  }

  @Get()
  @RequireAccess(Permission.TenantCustomersRead)
  @Describe('List the customers', 'The customers, each with the number of its devices.')
  @Answers(200, 'The customers of the tenant.', CustomersResponseDto)
  list(@Context() context: TenantContext, @Res() response: Response): Promise<void> {
    return streamJson(response, { items: this.customers.list(context) });
  }

  @Get(':customerId')
  @Tagged(customerState)
  @RequireAccess(Permission.TenantCustomersRead)
  @Describe('Get a customer', 'The customer with the number of its devices.')
  @Answers(200, 'The customer.', CustomerDto, { 404: UNKNOWN })
  get(@Context() context: TenantContext, @GuidParam('customerId', CUSTOMER_ID) customerId: string): Promise<CustomerDto> {
    return this.customers.get(context, customerId);
  }

  @Put(':customerId')
  @Tagged(customerState)
  @RequireAccess(Permission.TenantCustomersWrite)
  @Describe('Update a customer', 'A new name appears on its devices immediately.')
  @Answers(200, 'The changed customer.', CustomerDto, {
    404: UNKNOWN,
    409: 'Another customer of the tenant has this name.',
  })
  update(
    @Context() context: TenantContext,
    @GuidParam('customerId', CUSTOMER_ID) customerId: string,
    @Body() body: UpdateCustomerRequestDto,
    @IfMatch() expected: ExpectedTags | undefined,
  ): Promise<CustomerDto> {
    return this.customers.update(context, customerId, body, expected);
  }

  @Delete(':customerId')
  @HttpCode(204)
  @RequireAccess(Permission.TenantCustomersWrite)
  @Describe(
    'Delete a customer',
    'Its devices stay, without a customer. Permission assignments at the scope of the customer are deleted with it.',
  )
  @Answers(204, 'The customer is deleted.', null, {
    403: `A Deny is assigned at the scope of the customer, and the caller does not hold ${DENY}.`,
    404: UNKNOWN,
  })
  remove(
    @Context() context: TenantContext,
    @GuidParam('customerId', CUSTOMER_ID) customerId: string,
    @IfMatch() expected: ExpectedTags | undefined,
  ): Promise<void> {
    return this.customers.remove(context, customerId, expected);
  }

  @Post(':customerId/devices')
  @HttpCode(204)
  @RequireAccess(Permission.TenantCustomersWrite)
  @Describe(
    'Assign devices to a customer',
    'A device has at most one customer: assigned devices leave their previous customer. ' +
      'If one of the devices is unknown, the service refuses the call and moves no device.',
  )
  @Answers(204, 'The devices are assigned.', null, {
    403: `The caller may not read one of the assigned devices, or a device would leave a customer at which the caller has a Deny. The latter needs ${DENY}.`,
    404: UNKNOWN,
  })
  assignDevices(
    @Context() context: TenantContext,
    @GuidParam('customerId', CUSTOMER_ID) customerId: string,
    @Body() body: AssignCustomerDevicesRequestDto,
  ): Promise<void> {
    return this.customers.assignDevices(context, customerId, body);
  }
}
