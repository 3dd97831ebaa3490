import { useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide';
import type { ReactNode } from 'react';

import { useCan } from '../../access/can.js';
import { listQuery } from '../../api/lists.js';
import { Banner } from '../../ui/banner/Banner.js';
import { Button } from '../../ui/button/Button.js';
import { ProblemText } from '../../ui/states/ProblemText.js';
import { WhyLink } from '../../ui/states/WhyLink.js';
import type { KeyCustomerState } from './key-customer.js';
import { t } from './texts.js';

/** Says to which customer new devices of the key go, or why it was not changed. */
export function KeyCustomer({ state: { stored, error, retry } }: { readonly state: KeyCustomerState }): ReactNode {
  const mayRead = useCan('tenant.customers.read');
  const customers = useQuery({ ...listQuery('customers'), enabled: mayRead && typeof stored === 'string' });
  if (error !== null) {
    return (
      <Banner
        look="bad"
        actions={
          <Button icon={RotateCw} onClick={retry}>
            {t('retry')}
          </Button>
        }
      >
        {t('key-customer-failed')} <ProblemText error={error} /> <WhyLink error={error} target="_blank" />
      </Banner>
    );
  }
  if (stored === undefined || stored === null || (mayRead && customers.isPending)) return null;
  const name = customers.data?.find(({ id }) => id === stored)?.name;
  return <p aria-live="polite">{name === undefined ? t('key-customer-hidden') : t('key-customer', { name })}</p>;
}
