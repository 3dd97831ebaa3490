import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';

import { isLegal, type Scope, scopeKey, scopeOf } from '../../model/permissions/scopes.js';
import type { CatalogEntry, Principal } from '../../api/access/permission-assignments.js';
import { useScopeNames } from '../../parts/permissions/scopes.js';
import { Badge } from '../../ui/badge/Badge.js';
import { ToggleChip } from '../../ui/chip/Chip.js';
import { DataTable } from '../../ui/data-table/DataTable.js';
import { EmptyFiltered } from '../../ui/states/EmptyFiltered.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { usePrincipals } from './principals.js';
import { type Verdict, verdictQuery } from '../../api/access/effective-permissions.js';
import { permissionName } from '../../i18n/permission-names.js';
import { t } from './texts.js';

interface EverythingProps {
  readonly principal: Principal;
  readonly catalog: readonly CatalogEntry[];
  readonly scope: Scope;
}

type Answered = CatalogEntry & { readonly verdict: Verdict | undefined };
const SHOWN = ['all', 'allowed', 'refused'] as const;
type Shown = (typeof SHOWN)[number];

/** Every permission that can be asked for at a scope, with its verdict: a call for each of them. */
export function Everything({ principal, catalog, scope }: EverythingProps): ReactNode {
  const [shown, setShown] = useState<Shown>('all');
  const principals = usePrincipals();
  const legal = catalog.filter((entry) => isLegal(entry, scope.kind, false));
  const verdicts = useQueries({ queries: legal.map(({ name }) => verdictQuery(principal, name, scope)) });
  const rows = legal.map((entry, index): Answered => ({ ...entry, verdict: verdicts[index].data }));
  const failed = verdicts.find(({ isError }) => isError);
  const answered = rows.filter(({ verdict }) => verdict !== undefined).length;
  const allowed = rows.filter(({ verdict }) => verdict?.isAllowed === true).length;
  const nameOf = useScopeNames([
    scope,
    ...rows.flatMap(({ verdict }) => (verdict?.decidingAssignment ? [scopeOf(verdict.decidingAssignment)] : [])),
  ]);

  if (failed !== undefined) {
    const again = (): void => {
      for (const verdict of verdicts) if (verdict.isError) void verdict.refetch();
    };
    return <ErrorState error={failed.error} onRetry={again} />;
  }
  const isShown = ({ verdict }: Answered): boolean => shown === 'all' || verdict?.isAllowed === (shown === 'allowed');
  const because = ({ verdict }: Answered): string => {
    const deciding = verdict?.decidingAssignment ?? null;
    if (deciding === null) return verdict?.denyReason ?? '';
    const at = nameOf(scopeOf(deciding));
    const group =
      principals.find(({ value }) => value === `UserGroup:${deciding.throughUserGroupId}`)?.label ?? deciding.throughUserGroupId;
    return group === null ? at : t('through', { group, scope: at });
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
          {answered < rows.length
            ? t('asked', { count: answered, total: rows.length })
            : t('allowed-count', { count: allowed, total: rows.length, on: nameOf(scope) })}
        </span>
      </div>
      <DataTable<Answered>
        label={t('everything')}
        rows={rows.filter(isShown)}
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
            cell: ({ verdict }) =>
              verdict === undefined ? '…' : <Badge look={verdict.isAllowed ? 'ok' : 'bad'}>{verdict.isAllowed ? t('yes') : t('no')}</Badge>,
            sortBy: ({ verdict }) => (verdict === undefined ? null : String(verdict.isAllowed)),
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
