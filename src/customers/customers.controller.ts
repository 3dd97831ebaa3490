import { Body, Controller, Delete, Get, HttpCode, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';

import { Context, type TenantContext } from '../authentication/request-context.js';
import { RequireAccess, TenantInQuery } from '../authorization/access.js';
import { Permission } from '../authorization/permission.js';
import { GuidParam } from '../http/binding/route-parameters.js';
import { Answers } from '../openapi/answers.js';
import {
  AssignCustomerDevicesRequestDto,
  CreateCustomerRequestDto,
  CustomerDto,
  CustomersResponseDto,
  UpdateCustomerRequestDto,
} from './customer.dto.js';
import { CustomersService } from './customers.service.js';

@ApiTags('Customers')
@TenantInQuery()
@Controller('api/v1/customers')
export class CustomersController {
  constructor(private readonly customers: CustomersService) {}

  @Post()
  @RequireAccess(Permission.TenantCustomersWrite)
  @Answers(201, CustomerDto, [404, 409])
  create(@Context() context: TenantContext, @Body() body: CreateCustomerRequestDto): Promise<CustomerDto> {
    return this.customers.create(context, body);
  }

  @Get()
  @RequireAccess(Permission.TenantCustomersRead)
  @Answers(200, CustomersResponseDto)
  async list(@Context() context: TenantContext): Promise<CustomersResponseDto> {
    return { items: await this.customers.list(context) };
  }

  @Get(':customerId')
  @RequireAccess(Permission.TenantCustomersRead)
  @Answers(200, CustomerDto, [404])
  get(@Context() context: TenantContext, @GuidParam('customerId') customerId: string): Promise<CustomerDto> {
    return this.customers.get(context, customerId);
  }

  @Put(':customerId')
  @RequireAccess(Permission.TenantCustomersWrite)
  @Answers(200, CustomerDto, [404, 409])
  update(
    @Context() context: TenantContext,
    @GuidParam('customerId') customerId: string,
    @Body() body: UpdateCustomerRequestDto,
  ): Promise<CustomerDto> {
    return this.customers.update(context, customerId, body);
  }

  @Delete(':customerId')
  @HttpCode(204)
  @RequireAccess(Permission.TenantCustomersWrite)
  @Answers(204, null, [404])
  remove(@Context() context: TenantContext, @GuidParam('customerId') customerId: string): Promise<void> {
    return this.customers.remove(context, customerId);
  }

  @Post(':customerId/devices')
  @HttpCode(204)
  @RequireAccess(Permission.TenantCustomersWrite)
  @Answers(204, null, [404])
  assignDevices(
    @Context() context: TenantContext,
    @GuidParam('customerId') customerId: string,
    @Body() body: AssignCustomerDevicesRequestDto,
  ): Promise<void> {
    return this.customers.assignDevices(context, customerId, body);
  }
}
