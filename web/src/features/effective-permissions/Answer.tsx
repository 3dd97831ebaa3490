import { useQuery } from '@tanstack/react-query';
import type { LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import type { Scope } from '../../access/matrix/rules.js';
import type { Assignment, CatalogEntry, Principal } from '../../access/permissions.js';
import { useScopeNames } from '../../access/scopes.js';
import { Badge } from '../../ui/badge/Badge.js';
import { Banner } from '../../ui/banner/Banner.js';
import { DataTable } from '../../ui/data-table/DataTable.js';
import { Skeleton } from '../../ui/skeleton/Skeleton.js';
import { EmptyState } from '../../ui/states/EmptyState.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { useIsServerAccount, usePrincipals } from './principals.js';
import { useAssignmentsOf, type Verdict, verdictQuery } from './queries.js';
import { t } from './texts.js';

interface AnswerProps {
  readonly principal: Principal;
  readonly principalName: string;
  readonly permission: CatalogEntry;
  readonly scope: Scope;
}

/** The verdict of the service in words, and the assignments that name the permission. */
export function Answer(props: AnswerProps): ReactNode {
  const { principal, permission, scope } = props;
  const verdict = useQuery(verdictQuery(principal, permission.name, scope));
  if (verdict.data === undefined) {
    if (verdict.isError) return <ErrorState error={verdict.error} onRetry={() => void verdict.refetch()} />;
    return <Skeleton height={48} />;
  }
  return <Explained {...props} verdict={verdict.data} />;
}

/** Where an assignment is changed: on the page of whoever holds it. */
function holderPage({ principalKind, principalId }: Assignment, isOfServer: (accountId: string) => boolean): LinkProps {
  if (principalKind === 'UserGroup') return { to: '/user-groups/$userGroupId', params: { userGroupId: principalId } };
  if (principalKind === 'ServiceAccount') {
    const to = isOfServer(principalId) ? '/server/service-accounts/$serviceAccountId' : '/service-accounts/$serviceAccountId';
    return { to, params: { serviceAccountId: principalId } };
  }
  return { to: '/users/$userId', params: { userId: principalId } };
}

function Explained({ principal, principalName, permission, scope, verdict }: AnswerProps & { readonly verdict: Verdict }): ReactNode {
  const assignments = useAssignmentsOf(principal, permission.name);
  const principals = usePrincipals();
  const isServerAccount = useIsServerAccount();
  const deciding = verdict.decidingAssignment;
  const nameOf = useScopeNames([
    scope,
    ...(deciding === null ? [] : [{ kind: deciding.scopeKind, id: deciding.scopeId }]),
    ...assignments.map(({ scopeKind, scopeId }) => ({ kind: scopeKind, id: scopeId })),
  ]);
  const holderName = (kind: string, id: string): string => principals.find(({ value }) => value === `${kind}:${id}`)?.label ?? id;
  const values = { who: principalName, what: permission.displayName, on: nameOf(scope) };
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
              scope: nameOf({ kind: deciding.scopeKind, id: deciding.scopeId }),
            })}
          </p>
        )}
        {deciding === null && verdict.denyReason !== null && <p>{verdict.denyReason}</p>}
      </Banner>
      <section className="stack" aria-labelledby="assignments">
        <h2 id="assignments">{t('assignments')}</h2>
        <DataTable
          label={t('assignments')}
          rows={assignments}
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
            {
              id: 'role',
              header: t('role'),
              cell: ({ id, isEnabled }) => {
                if (id === deciding?.assignmentId) return <Badge look="accent">{t('role-decides')}</Badge>;
                return isEnabled ? '' : <Badge>{t('role-disabled')}</Badge>;
              },
            },
            { id: 'notes', header: t('notes'), cell: ({ notes }) => notes ?? '', phone: 'hidden' },
          ]}
          rowLink={(assignment) => holderPage(assignment, isServerAccount)}
          empty={<EmptyState title={t('no-assignments')} />}
        />
      </section>
    </>
  );
}
