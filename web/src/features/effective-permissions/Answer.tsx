import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { useAssignmentsOf, useGroupsOf } from '../../access/groups.js';
import { type Scope, scopeOf } from '../../model/permissions/scopes.js';
import type { Assignment, CatalogEntry, Principal } from '../../api/access/permission-assignments.js';
import { deviceScopeQuery, useScopeNames } from '../../parts/permissions/scopes.js';
import { changed } from '../../api/queries.js';
import { Badge, type BadgeLook } from '../../ui/badge/Badge.js';
import { Banner } from '../../ui/banner/Banner.js';
import { DataTable } from '../../ui/data-table/DataTable.js';
import { Skeleton } from '../../ui/skeleton/Skeleton.js';
import { EmptyState } from '../../ui/states/EmptyState.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { holderPage } from './holder-page.js';
import { usePrincipals } from './principals.js';
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
  if (verdict.data === undefined) {
    if (verdict.isError) return <ErrorState error={verdict.error} onRetry={() => void verdict.refetch()} />;
    return <Skeleton height={48} />;
  }
  return <Explained {...props} verdict={verdict.data} />;
}

const LOOKS: Readonly<Partial<Record<Role, BadgeLook>>> = { decides: 'accent', outvoted: 'warn' };

function Explained({ principal, principalName, permission, scope, verdict }: AnswerProps & { readonly verdict: Verdict }): ReactNode {
  const { groups, isHidden, isPending: groupsArePending, error: groupsError } = useGroupsOf(principal);
  const held = useAssignmentsOf([principal, ...groups.map(({ id }) => ({ kind: 'UserGroup' as const, id }))]);
  const principals = usePrincipals();
  const device = useQuery({ ...deviceScopeQuery(scope.id ?? ''), enabled: scope.kind === 'Device' });
  const asked = { scope, customerId: device.data?.customerId };
  const assignments = byRole(
    held.assignments
      .filter((each) => each.permissionName === permission.name)
      .map((each) => ({ ...each, role: roleOf(each, permission, asked, verdict) })),
  );
  const isPending = groupsArePending || held.isPending;
  const error = groupsError ?? held.error;
  const deciding = verdict.decidingAssignment;
  const nameOf = useScopeNames([scope, ...(deciding === null ? [] : [scopeOf(deciding)]), ...assignments.map(scopeOf)]);
  const holderName = (kind: string, id: string): string => principals.find(({ value }) => value === `${kind}:${id}`)?.label ?? id;
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
                  : t('group', { name: holderName('UserGroup', deciding.throughUserGroupId) }),
              scope: nameOf(scopeOf(deciding)),
            })}
          </p>
        )}
        {deciding === null && verdict.denyReason !== null && <p>{verdict.denyReason}</p>}
      </Banner>
      <section className="stack" aria-labelledby="assignments">
        <h2 id="assignments">{t('assignments')}</h2>
        {isHidden && <p className="muted">{t('groups-hidden')}</p>}
        <DataTable<Assignment & { readonly role: Role }>
          label={t('assignments')}
          // An incomplete list of assignments would look complete.
          rows={isPending || error !== null ? undefined : assignments}
          error={error}
          onRetry={() => void changed('user-groups', 'permission-assignments')}
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
