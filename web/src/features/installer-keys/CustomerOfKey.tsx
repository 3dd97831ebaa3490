import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { useCan } from '../../access/can.js';
import { keyCustomerChange, keyCustomerQuery } from '../../api/devices/installer-keys.js';
import { listQuery } from '../../api/lists.js';
import { Combobox } from '../../ui/combobox/Combobox.js';
import { Property, PropertyList } from '../../ui/property-list/PropertyList.js';
import { Skeleton } from '../../ui/skeleton/Skeleton.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { toast, toastProblem } from '../../ui/toast/toasts.js';
import { t } from './texts.js';

/** The customer that new devices of a key get; a field where the user may change it. */
export function CustomerOfKey({ keyId }: { readonly keyId: string }): ReactNode {
  const mayRead = useCan('tenant.customers.read');
  const mayChange = useCan('tenant.customers.write');
  const stored = useQuery(keyCustomerQuery(keyId));
  const customers = useQuery({ ...listQuery('customers'), enabled: mayRead });
  const saving = useMutation({
    ...keyCustomerChange,
    onSuccess: () => toast(t('customer-changed')),
    onError: (error) => toastProblem(error),
  });
  const failed = [stored, customers].find(({ isError, data }) => isError && data === undefined);
  if (failed !== undefined) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />;
  if (stored.data === undefined || (mayRead && customers.data === undefined)) return <Skeleton width={200} />;
  const items = (customers.data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const itemOf = (customerId: string | null) => items.find(({ value }) => value === customerId) ?? null;
  const current = itemOf(stored.data);
  if (!mayChange || items.length === 0) {
    return (
      <PropertyList>
        <Property term={t('customer')}>{stored.data === null ? null : (current?.label ?? t('customer-hidden'))}</Property>
      </PropertyList>
    );
  }
  return (
    <Combobox
      label={t('customer')}
      hint={t('customer-hint')}
      items={items}
      value={saving.isPending ? itemOf(saving.variables.customerId) : current}
      onValueChange={(item) => saving.mutate({ keyId, customerId: item?.value ?? null })}
    />
  );
}
