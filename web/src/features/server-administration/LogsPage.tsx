import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide';
import type { ReactNode } from 'react';

import { AnchorButton } from '../../ui/link-button/LinkButton.js';
import { Page } from '../../ui/page/Page.js';
import { SkeletonList } from '../../ui/skeleton/Skeleton.js';
import { EmptyState } from '../../ui/states/EmptyState.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { telemetryAddressQuery } from '../../api/system/server.js';
import { t } from './texts.js';

/** Page that says where the logs of the server are: it hands out none itself. */
export function LogsPage(): ReactNode {
  const address = useQuery(telemetryAddressQuery);
  return (
    <Page title={t('logs')}>
      {address.data === undefined ? (
        address.error === null ? (
          <SkeletonList rows={1} columns={[1]} />
        ) : (
          <ErrorState error={address.error} onRetry={() => void address.refetch()} />
        )
      ) : address.data.aspireUrl === null ? (
        <EmptyState title={t('logs-none')}>
          {t('logs-none-text')} <code>{'TelemetryDashboard:PublicWebUrl'}</code>
        </EmptyState>
      ) : (
        <>
          <p className="muted">{t('logs-text')}</p>
          <div>
            <AnchorButton look="primary" icon={ExternalLink} href={address.data.aspireUrl} target="_blank" rel="noreferrer">
              {t('logs-open')}
            </AnchorButton>
          </div>
        </>
      )}
    </Page>
  );
}
