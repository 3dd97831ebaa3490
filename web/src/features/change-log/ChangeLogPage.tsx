import { Download } from 'lucide';
import { lazy, type ReactNode, Suspense, useState } from 'react';

import { Button } from '../../ui/button/Button.js';
import { Page } from '../../ui/page/Page.js';
import { ChangeLogEntries } from './ChangeLogEntries.js';
import { Filters } from './Filters.js';
import type { Log } from '../../api/access/change-log.js';
import type { ChangeLogAddress } from '../../model/change-log-search.js';
import { t } from './texts.js';

const ChangeLogExport = lazy(async () => ({ default: (await import('./ChangeLogExport.js')).ChangeLogExport }));

interface ChangeLogPageProps {
  readonly log: Log;
  /** Name of the tenant whose log it is, if not the user's own. */
  readonly tenantName?: string;
  readonly search: ChangeLogAddress;
  readonly onSearch: (search: ChangeLogAddress) => void;
  /** Content above the filters. */
  readonly children?: ReactNode;
}

/** Changes with author and time, newest first: of the tenant, of the server, or of another tenant. */
export function ChangeLogPage({ log, tenantName, search, onSearch, children }: ChangeLogPageProps): ReactNode {
  const [exported, setExported] = useState<ChangeLogAddress | null>(null);
  const title =
    log === 'tenant' ? t('title') : log === 'server' ? t('title-server') : t('title-tenant', { name: tenantName ?? log.tenantId });
  return (
    <Page
      title={title}
      actions={
        <Button icon={Download} onClick={() => setExported(search)}>
          {t('export')}
        </Button>
      }
    >
      {children}
      {log === 'server' && <p className="muted">{t('intro-server')}</p>}
      <Filters log={log} search={search} onChange={onSearch} />
      <ChangeLogEntries {...{ log, search, onSearch }} onFilter={onSearch} />
      {exported !== null && (
        <Suspense>
          <ChangeLogExport log={log} search={exported} onClose={() => setExported(null)} />
        </Suspense>
      )}
    </Page>
  );
}
