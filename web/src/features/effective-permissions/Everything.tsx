import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';

import { isLegal, type Scope, scopeKey, scopeOf } from '../../model/permissions/scopes.js';
import { type DecidedPermission, everythingQuery } from '../../api/access/held-permissions.js';
import type { CatalogEntry, Principal } from '../../api/access/permission-assignments.js';
import { Badge } from '../../ui/badge/Badge.js';
import { ToggleChip } from '../../ui/chip/Chip.js';
import { DataTable } from '../../ui/data-table/DataTable.js';
import { EmptyFiltered } from '../../ui/states/EmptyFiltered.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { permissionName } from '../../i18n/permission-names.js';
import { groupName, useNames } from './names.js';
import { t } from './texts.js';

interface EverythingProps {
  readonly principal: Principal;
  readonly catalog: readonly CatalogEntry[];
  readonly scope: Scope;
}

type Answered = CatalogEntry & { readonly verdict: DecidedPermission | undefined };
const SHOWN = ['all', 'allowed', 'refused'] as const;
type Shown = (typeof SHOWN)[number];

/** Every permission that can be asked for at a scope, with its verdict. */
export function Everything({ principal, catalog, scope }: EverythingProps): ReactNode {
  const [shown, setShown] = useState<Shown>('all');
  const everything = useQuery(everythingQuery(principal, scope));
  const nameOf = useNames(scope, everything.data);
  if (everything.data === undefined && everything.isError) {
    return <ErrorState error={everything.error} onRetry={() => void everything.refetch()} />;
  }
  const verdicts = new Map((everything.data?.items ?? []).map((each) => [each.permissionName, each]));
  const rows = catalog
    .filter((entry) => isLegal(entry, scope.kind, false))
    .map((entry): Answered => ({ ...entry, verdict: verdicts.get(entry.name) }));
  const allowed = rows.filter(({ verdict }) => verdict?.isAllowed === true).length;
  const isShown = ({ verdict }: Answered): boolean => shown === 'all' || verdict?.isAllowed === (shown === 'allowed');
  const because = ({ verdict }: Answered): string => {
    const deciding = verdict?.decidingAssignment ?? null;
    if (deciding === null) return verdict?.denyReason ?? '';
    const at = nameOf(scopeOf(deciding));
    const { throughUserGroupId: through } = deciding;
    return through === null ? at : t('through', { group: groupName(through, everything.data), scope: at });
  };
  return (
    <section className="stack" aria-labelledby="everything">
      <h2 id="everything">{t('everything')}</h2>
      <div className="row wrap">
        <div className="row wrap" role="group" aria-label={t('shown')}>
          {SHOWN.map((each) => (
            <ToggleChip key={each} pressed={each === shown} onClick={() => setShown(each)}>
              {t(`shown-${each}`)}
            </ToggleChip>
          ))}
        </div>
        <span className="muted" role="status">
          {everything.data !== undefined && t('allowed-count', { count: allowed, total: rows.length, on: nameOf(scope) })}
        </span>
      </div>
      <DataTable<Answered>
        label={t('everything')}
        rows={everything.data === undefined ? undefined : rows.filter(isShown)}
        rowKey={({ name }) => name}
        columns={[
          { id: 'permission', header: t('what'), cell: ({ name }) => permissionName(name), sortBy: ({ name }) => permissionName(name) },
          {
            id: 'category',
            header: t('category'),
            cell: ({ categoryLabel }) => categoryLabel,
            sortBy: ({ categoryLabel }) => categoryLabel,
          },
          {
            id: 'verdict',
            header: t('verdict'),
            cell: ({ verdict }) => (
              <Badge look={verdict?.isAllowed === true ? 'ok' : 'bad'}>{verdict?.isAllowed === true ? t('yes') : t('no')}</Badge>
            ),
            sortBy: ({ verdict }) => String(verdict?.isAllowed === true),
            phone: 'side',
          },
          { id: 'because', header: t('because'), cell: because, phone: 'hidden' },
          {
            id: 'why',
            header: t('why'),
            hideHeader: true,
            align: 'end',
            phone: 'hidden',
            cell: ({ name }) => (
              <Link to="/effective-permissions" search={questionOf(principal, name, scope)} className="link">
                {t('why')}
              </Link>
            ),
          },
        ]}
        rowLink={({ name }) => ({ to: '/effective-permissions', search: questionOf(principal, name, scope) })}
        empty={<EmptyFiltered onClear={() => setShown('all')} total={rows.length} />}
      />
    </section>
  );
}

const questionOf = (principal: Principal, what: string, scope: Scope) => ({
  who: `${principal.kind}:${principal.id}`,
  what,
  on: scope.id === null ? scope.kind : scopeKey(scope),
});
