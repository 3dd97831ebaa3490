import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { removalsQuery } from '../../api/tenants/tenants.js';
import { Banner } from '../../ui/banner/Banner.js';
import { t } from './texts.js';

/** The deleted tenants whose devices are still being removed, with how many are left. Shows nothing without any. */
export function TenantRemovals(): ReactNode {
  const { data: removals = [] } = useQuery(removalsQuery);
  if (removals.length === 0) return null;
  return (
    <Banner>
      {removals.map(({ tenantId, tenantName, remainingDeviceCount }) => (
        <p key={tenantId}>{t('tenant-removal', { name: tenantName === '' ? tenantId : tenantName, count: remainingDeviceCount })}</p>
      ))}
    </Banner>
  );
}
