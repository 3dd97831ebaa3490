import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';

import { useCan } from '../../access/can.js';
import type { SearchChange } from '../../model/search-params.js';
import { type Scope, type ScopeKind, scopeKey, usualScope } from '../../model/permissions/scopes.js';
import { ScopeField } from '../../parts/permissions/matrix/ScopePicker.js';
import { catalogQuery } from '../../api/access/permission-assignments.js';
import { useScopeNames } from '../../parts/permissions/scopes.js';
import { useSession } from '../../access/session.js';
import { Combobox, type ComboboxItem } from '../../ui/combobox/Combobox.js';
import { Page } from '../../ui/page/Page.js';
import { Select } from '../../ui/select/Select.js';
import { EmptyState } from '../../ui/states/EmptyState.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { Answer } from './Answer.js';
import css from './EffectivePermissionsPage.module.css';
import { Everything } from './Everything.js';
import { usePrincipals } from './principals.js';
import { EVERYTHING, principalOf, SCOPE_KINDS, scopeOf } from './question.js';
import { RequestLink } from './RequestLink.js';
import { permissionName } from '../../i18n/permission-names.js';
import { t } from './texts.js';

const route = getRouteApi('/_app/effective-permissions');

/** Explains the verdict on a principal's permission. The question stands in the address, so that users can send it to each other. */
export function EffectivePermissionsPage(): ReactNode {
  const { what, on } = route.useSearch();
  const mayRead = useCan('tenant.permissions.read');
  return (
    <Page title={t('title')}>
      <p className="muted">{t('intro')}</p>
      {mayRead ? <Question /> : <RequestLink what={what} on={on} />}
    </Page>
  );
}

/** The question in the address. */
interface Asked {
  readonly who?: string;
  readonly what?: string;
  readonly on?: string;
}

function Question(): ReactNode {
  const { who, what, on } = route.useSearch();
  const navigate = route.useNavigate();
  const { user, tenant } = useSession();
  const catalog = useQuery(catalogQuery);

  const principal = principalOf(who) ?? { kind: 'User' as const, id: user.id };
  const principals = usePrincipals(principal);
  const permission = catalog.data?.find(({ name }) => name === what);
  const isEverything = what === EVERYTHING;
  const usual = permission === undefined ? ({ kind: 'Tenant', id: tenant.id } as const) : usualScope(permission, tenant.id);
  const scope = scopeOf(on) ?? usual;
  const principalKey = `${principal.kind}:${principal.id}`;
  const everything: ComboboxItem = { value: EVERYTHING, label: t('everything') };
  const ask = (change: SearchChange<Asked>): void => void navigate({ search: change, replace: true });

  if (catalog.isError) return <ErrorState error={catalog.error} onRetry={() => void catalog.refetch()} />;
  return (
    <>
      <div className={css.question}>
        <Combobox
          label={t('who')}
          items={principals.items}
          value={principals.chosen}
          onValueChange={(item) => ask((now) => ({ ...now, who: item?.value }))}
          onSearch={principals.onSearch}
          busy={principals.isBusy}
          error={principals.error}
        />
        <Combobox
          label={t('what')}
          items={[everything, ...(catalog.data ?? []).map(({ name }) => ({ value: name, label: permissionName(name), detail: name }))]}
          value={
            isEverything ? everything : permission === undefined ? null : { value: permission.name, label: permissionName(permission.name) }
          }
          onValueChange={(item) => ask((now) => ({ ...now, what: item?.value, on: undefined }))}
          busy={catalog.isPending}
        />
        {(permission !== undefined || isEverything) && (
          <ScopeChoice
            key={scope.kind}
            scope={scope}
            kinds={permission?.allowedScopeKinds ?? SCOPE_KINDS}
            onChange={(next) => ask((now) => ({ ...now, on: next.id === null ? next.kind : scopeKey(next) }))}
          />
        )}
      </div>
      {permission !== undefined ? (
        <Answer principal={principal} principalName={principals.chosen.label} permission={permission} scope={scope} />
      ) : isEverything ? (
        <Everything key={`${principalKey} ${scopeKey(scope)}`} principal={principal} catalog={catalog.data ?? []} scope={scope} />
      ) : (
        <EmptyState title={t('ask')}>{t('ask-text')}</EmptyState>
      )}
    </>
  );
}

interface ScopeChoiceProps {
  readonly scope: Scope;
  /** The kinds at which the permission can be assigned. */
  readonly kinds: readonly string[];
  readonly onChange: (scope: Scope) => void;
}

/** Chooses the scope of the question: the server, the tenant, or something in it. */
function ScopeChoice({ scope, kinds, onChange }: ScopeChoiceProps): ReactNode {
  const { tenant } = useSession();
  const nameOf = useScopeNames([scope]);
  // A kind without its object asks nothing yet.
  const [kind, setKind] = useState(scope.kind);
  const item: ComboboxItem | null = kind === scope.kind && scope.id !== null ? { value: scope.id, label: nameOf(scope) } : null;
  return (
    <>
      <Select
        label={t('on')}
        options={kinds.map((value) => ({ value: value as ScopeKind, label: t(`scope-${value as ScopeKind}`) }))}
        value={kind}
        onValueChange={(next) => {
          setKind(next);
          if (next === 'Server') onChange({ kind: next, id: null });
          if (next === 'Tenant') onChange({ kind: next, id: tenant.id });
        }}
      />
      {kind !== 'Server' && kind !== 'Tenant' && (
        <ScopeField
          key={kind}
          kind={kind}
          value={item}
          onValueChange={(next) => {
            if (next !== null) onChange({ kind, id: next.value });
          }}
        />
      )}
    </>
  );
}
