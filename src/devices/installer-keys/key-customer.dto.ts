import { Guid } from '../../platform/http/binding/fields.js';

const CUSTOMER = 'Id of the customer that new devices get when they register with the key';

export class KeyCustomerDto {
  @Guid(`${CUSTOMER}; null for none.`, { nullable: true }) customerId: string | null;
}

export class ChangeKeyCustomerRequestDto {
  @Guid(`${CUSTOMER}. Null for none.`, { nullable: true }) customerId: string | null;
}
