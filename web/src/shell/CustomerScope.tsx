import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Building2 } from 'lucide';
import type { ReactNode } from 'react';

import { useCan } from '../access/can.js';
import { listQuery } from '../api/lists.js';
import { Chip } from '../ui/chip/Chip.js';
import { t } from './later-texts.js';

/** The customer that lists are narrowed down to, on every page until it is taken away. */
export function CustomerScope({ customer }: { readonly customer: string }): ReactNode {
  const navigate = useNavigate();
  const mayRead = useCan('tenant.customers.read');
  const { data } = useQuery({ ...listQuery('customers'), enabled: mayRead });
  const name = data?.find(({ id }) => id === customer)?.name;
  const leave = (): void => void navigate({ to: '.', search: (search) => ({ ...search, customer: undefined }) });
  return <Chip icon={Building2} label={name ?? t('scope-unknown')} onRemove={leave} />;
}
