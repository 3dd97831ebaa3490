import type { ReactNode } from 'react';

import { DownloadButton } from '../../parts/download/DownloadButton.js';
import { Page } from '../../ui/page/Page.js';
import { ChangeLogEntries } from './ChangeLogEntries.js';
import { Filters } from './Filters.js';
import { exportAddress, type Log } from '../../api/access/change-log.js';
import type { ChangeLogAddress } from '../../model/change-log-search.js';
import type { SearchChange } from '../../model/search-params.js';
import { filterOf } from './kinds.js';
import { t } from './texts.js';

interface ChangeLogPageProps {
  readonly log: Log;
  /** Name of the tenant whose log it is, if not the user's own. */
  readonly tenantName?: string;
  readonly search: ChangeLogAddress;
  readonly onSearch: (change: SearchChange<ChangeLogAddress>) => void;
  /** Content above the filters. */
  readonly children?: ReactNode;
}

/** Changes with author and time, newest first: of the tenant, of the server, or of another tenant. */
export function ChangeLogPage({ log, tenantName, search, onSearch, children }: ChangeLogPageProps): ReactNode {
  const title =
    log === 'tenant' ? t('title') : log === 'server' ? t('title-server') : t('title-tenant', { name: tenantName ?? log.tenantId });
  return (
    <Page
      title={title}
      actions={
        <>
          <DownloadButton address={exportAddress(log, filterOf(search), 'Csv')}>{t('export')}</DownloadButton>
          <DownloadButton address={exportAddress(log, filterOf(search), 'Jsonl')}>{t('export-jsonl')}</DownloadButton>
        </>
      }
    >
      {children}
      {log === 'server' && <p className="muted">{t('intro-server')}</p>}
      <Filters log={log} search={search} onChange={onSearch} />
      <ChangeLogEntries
        {...{ log, search }}
        onEntry={(entry) => onSearch((now) => ({ ...now, entry }))}
        onFilter={(found) => onSearch(() => found)}
        onClear={() => onSearch(() => ({}))}
      />
    </Page>
  );
}
