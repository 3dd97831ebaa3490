import { useMutation, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';

import { useCan } from '../../access/can.js';
import { keyCustomerChange, keyCustomerQuery } from '../../api/devices/installer-keys.js';
import { problemOf } from '../../problem/problem.js';
import type { DeployKey } from './deploy-key.js';

/** The customer that new devices of a key get, and its changes. */
export interface KeyCustomerState {
  /** The customer of the field: the chosen one, else that of the key, else that in whose scope the page is. */
  readonly shown: string | null;
  /** The customer that the service has for the key; undefined until it has answered. */
  readonly stored: string | null | undefined;
  /** Error of the last change, or of reading the customer. */
  readonly error: Error | null;
  readonly retry: () => void;
  /** Gives a key the customer that was chosen before the key was there. */
  readonly begin: (key: DeployKey) => void;
  readonly change: (key: DeployKey, customerId: string | null) => void;
}

/** Reads and changes the customer of the key of the page. `chosen` is undefined while the user has chosen none. */
export function useKeyCustomer(key: DeployKey | null, chosen: string | null | undefined): KeyCustomerState {
  const { customer: scope } = useSearch({ strict: false });
  const mayRead = useCan('installer-key.read');
  const mayChange = useCan('tenant.customers.write');
  const stored = useQuery({ ...keyCustomerQuery(key?.id ?? ''), enabled: mayRead && key !== null });
  const saving = useMutation(keyCustomerChange);
  const change = ({ id }: DeployKey, customerId: string | null): void => saving.mutate({ keyId: id, customerId });
  const ofNewKey = mayChange ? (scope ?? null) : null;
  const unchosen = key === null || key.isNew ? (stored.data ?? ofNewKey) : (stored.data ?? null);
  return {
    shown: chosen === undefined ? unchosen : chosen,
    stored: stored.data,
    error: saving.error ?? readError(stored),
    retry: () => (saving.isError ? saving.mutate(saving.variables) : void stored.refetch()),
    begin: (next) => {
      // A key that exists already keeps its customer, unless the user chose another here.
      const wanted = chosen === undefined && next.isNew ? ofNewKey : chosen;
      const isAsIs = wanted === undefined || (wanted === null && next.isNew);
      if (!isAsIs) change(next, wanted);
    },
    change,
  };
}

/** The error of reading, where nothing is shown instead. The devices of a key that is gone have their own. */
function readError({ data, error }: { readonly data: unknown; readonly error: Error | null }): Error | null {
  return data !== undefined || error === null || problemOf(error).status === 404 ? null : error;
}
