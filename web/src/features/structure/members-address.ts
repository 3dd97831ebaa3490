import { oneOf } from '../../model/search-params.js';

/** What the address of a customer, a group or a tag says of the list of its devices. */
export interface MembersAddress {
  readonly q?: string;
  readonly sort?: string;
}

export const readMembersAddress = (search: Record<string, unknown>): MembersAddress => ({ q: oneOf(search.q), sort: oneOf(search.sort) });
