import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { type HeldPermissions, heldQuery } from '../../api/access/held-permissions.js';
import { type Scope, scopeOf } from '../../model/permissions/scopes.js';
import type { Assignment, CatalogEntry, Principal } from '../../api/access/permission-assignments.js';
import { deviceScopeQuery } from '../../parts/permissions/scopes.js';
import { Badge, type BadgeLook } from '../../ui/badge/Badge.js';
import { Banner } from '../../ui/banner/Banner.js';
import { DataTable } from '../../ui/data-table/DataTable.js';
import { Skeleton } from '../../ui/skeleton/Skeleton.js';
import { EmptyState } from '../../ui/states/EmptyState.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { holderPage } from './holder-page.js';
import { groupName, useNames } from './names.js';
import { type Verdict, verdictQuery } from '../../api/access/effective-permissions.js';
import { byRole, type Role, roleOf } from './roles.js';
import { permissionName } from '../../i18n/permission-names.js';
import { t } from './texts.js';

interface AnswerProps {
  readonly principal: Principal;
  readonly principalName: string;
  readonly permission: CatalogEntry;
  readonly scope: Scope;
}

/** The verdict of the service in words, and every assignment that names the permission. */
export function Answer(props: AnswerProps): ReactNode {
  const { principal, permission, scope } = props;
  const verdict = useQuery(verdictQuery(principal, permission.name, scope));
  // The names in the sentence come with what the principal holds.
  const held = useQuery(heldQuery(principal));
  if (verdict.data === undefined || held.isPending) {
    if (verdict.isError) return <ErrorState error={verdict.error} onRetry={() => void verdict.refetch()} />;
    return <Skeleton height={48} />;
  }
  return <Explained {...props} verdict={verdict.data} held={held} />;
}

const LOOKS: Readonly<Partial<Record<Role, BadgeLook>>> = { decides: 'accent', outvoted: 'warn' };

interface ExplainedProps extends AnswerProps {
  readonly verdict: Verdict;
  /** A second observer of the query would send it again after each failure, and this component would go and come with it. */
  readonly held: UseQueryResult<HeldPermissions>;
}

function Explained({ principal, principalName, permission, scope, verdict, held }: ExplainedProps): ReactNode {
  const device = useQuery({ ...deviceScopeQuery(scope.id ?? ''), enabled: scope.kind === 'Device' });
  const asked = { scope, customerId: device.data?.customerId };
  const assignments = byRole(
    [...(held.data?.assignments ?? []), ...(held.data?.groupAssignments ?? [])]
      .filter((each) => each.permissionName === permission.name)
      .map((each) => ({ ...each, role: roleOf(each, permission, asked, verdict) })),
  );
  const deciding = verdict.decidingAssignment;
  const nameOf = useNames(scope, held.data);
  const holderName = (kind: string, id: string): string =>
    kind === 'UserGroup' && id !== principal.id ? groupName(id, held.data) : principalName;
  const values = { who: principalName, what: permissionName(permission.name), on: nameOf(scope) };
  return (
    <>
      <Banner look={verdict.isAllowed ? 'ok' : 'bad'}>
        <p>
          <b>{verdict.isAllowed ? t('allowed') : t('refused')}</b> {verdict.isAllowed ? t('may', values) : t('may-not', values)}
        </p>
        {deciding !== null && (
          <p>
            {t(`decides-${deciding.effect}`, {
              holder:
                deciding.throughUserGroupId === null
                  ? principalName
                  : t('group', { name: groupName(deciding.throughUserGroupId, held.data) }),
              scope: nameOf(scopeOf(deciding)),
            })}
          </p>
        )}
        {deciding === null && verdict.denyReason !== null && <p>{verdict.denyReason}</p>}
      </Banner>
      <section className="stack" aria-labelledby="assignments">
        <h2 id="assignments">{t('assignments')}</h2>
        {held.data?.isComplete === false && <p className="muted">{t('incomplete')}</p>}
        <DataTable<Assignment & { readonly role: Role }>
          label={t('assignments')}
          rows={held.data === undefined ? undefined : assignments}
          error={held.error}
          onRetry={() => void held.refetch()}
          rowKey={({ id }) => id}
          columns={[
            { id: 'holder', header: t('holder'), cell: ({ principalKind, principalId }) => holderName(principalKind, principalId) },
            {
              id: 'effect',
              header: t('effect'),
              cell: ({ effect }) => <Badge look={effect === 'Deny' ? 'bad' : 'neutral'}>{t(`effect-${effect}`)}</Badge>,
              sortBy: ({ effect }) => effect,
              phone: 'side',
            },
            {
              id: 'scope',
              header: t('on'),
              cell: ({ scopeKind, scopeId }) => `${t(`scope-${scopeKind}`)}: ${nameOf({ kind: scopeKind, id: scopeId })}`,
            },
            { id: 'role', header: t('role'), cell: ({ role }) => <Badge look={LOOKS[role]}>{t(`role-${role}`)}</Badge> },
            { id: 'notes', header: t('notes'), cell: ({ notes }) => notes ?? '', phone: 'hidden' },
            {
              id: 'edit',
              header: t('edit'),
              hideHeader: true,
              align: 'end',
              phone: 'hidden',
              cell: (assignment) => (
                <Link {...holderPage(assignment)} className="link">
                  {t('edit')}
                </Link>
              ),
            },
          ]}
          rowLink={holderPage}
          empty={<EmptyState title={t('no-assignments')} />}
        />
      </section>
    </>
  );
}
