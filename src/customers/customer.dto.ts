import { Guid, GuidList, Instant, Int, ListOf, Text } from '../http/binding/fields.js';

/** Most devices that one request may name in a list. */
const MAXIMUM_DEVICES = 1_000;

export class CustomerDto {
  @Guid() id: string;
  @Text() name: string;
  @Text({ nullable: true }) description: string | null;
  @Text({ nullable: true }) notes: string | null;
  @Instant() createdAt: Date;
  @Int() deviceCount: number;
}

export class CustomersResponseDto {
  @ListOf(() => CustomerDto) items: CustomerDto[];
}

export class CreateCustomerRequestDto {
  @Text({ min: 1, max: 100, notBlank: true }) name: string;
  @Text({ nullable: true, max: 500 }) description: string | null;
  @Text({ nullable: true, max: 500 }) notes: string | null;
}

export class UpdateCustomerRequestDto extends CreateCustomerRequestDto {}

export class AssignCustomerDevicesRequestDto {
  @GuidList({ max: MAXIMUM_DEVICES, description: 'Devices that come to the customer, from whatever customer they had.' })
  deviceIds: string[];
  @GuidList({ max: MAXIMUM_DEVICES, default: [], description: 'Devices that leave the customer; others are ignored.' })
  removeDeviceIds: string[];
}
