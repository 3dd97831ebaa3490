import { oneOf } from '../../model/search-params.js';

/** State of the list of devices in the address of a customer, a group or a tag. */
export interface MembersAddress {
  readonly q?: string;
  readonly sort?: string;
}

export const readMembersAddress = (search: Record<string, unknown>): MembersAddress => ({ q: oneOf(search.q), sort: oneOf(search.sort) });
