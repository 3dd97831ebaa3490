import { Guid, GuidList, Instant, Int, ListOf, Name, Text } from '../../platform/http/binding/fields.js';

/** Most devices that one request may name in a list. */
const MAXIMUM_DEVICES = 1_000;

const NAME = 'Name of the customer, unique within the tenant.';
const DESCRIPTION = 'Description of the customer, in one line.';
const NOTES = 'Notes about the customer for people.';
const EXAMPLE = { name: 'Contoso Ltd.', description: 'Retail, 12 branches', notes: 'Maintenance window: Sundays, 02:00 to 05:00 UTC.' };

export class CustomerDto {
  @Guid('Id of the customer.') id: string;
  @Text(NAME, { example: EXAMPLE.name }) name: string;
  @Text(DESCRIPTION, { nullable: true, example: EXAMPLE.description }) description: string | null;
  @Text(NOTES, { nullable: true, example: EXAMPLE.notes }) notes: string | null;
  @Instant('Creation time of the customer.') createdAt: Date;
  @Int('Number of devices of the customer, including those that the caller may not read.', { example: 48 }) deviceCount: number;
}

export class CustomersResponseDto {
  @ListOf('The customers of the tenant, sorted by name.', () => CustomerDto) items: CustomerDto[];
}

export class CreateCustomerRequestDto {
  @Name(NAME, { min: 1, max: 100, example: EXAMPLE.name }) name: string;
  @Text(DESCRIPTION, { nullable: true, max: 500, example: EXAMPLE.description }) description: string | null;
  @Text(NOTES, { nullable: true, max: 500, example: EXAMPLE.notes }) notes: string | null;
}

export class UpdateCustomerRequestDto {
  @Name(NAME, { min: 1, max: 100, example: EXAMPLE.name }) name: string;
  @Text(DESCRIPTION, { nullable: true, unchangedIfOmitted: true, max: 500, example: EXAMPLE.description }) description?: string | null;
  @Text(NOTES, { nullable: true, unchangedIfOmitted: true, max: 500, example: EXAMPLE.notes }) notes?: string | null;
}

export class AssignCustomerDevicesRequestDto {
  @GuidList('Ids of the devices that come to the customer, from any customer that they had.', { max: MAXIMUM_DEVICES })
  deviceIds: string[];
  @GuidList('Ids of the devices that leave the customer. Devices of other customers, or of none, are ignored.', {
    max: MAXIMUM_DEVICES,
    default: [],
    example: ['019a5b3c-3f0e-7c52-9d0a-5d3b1f6e2a47'],
  })
  removeDeviceIds: string[];
}
