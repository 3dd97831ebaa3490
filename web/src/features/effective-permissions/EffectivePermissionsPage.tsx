import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';

import { type Scope, type ScopeKind, scopeKey, usualScope } from '../../access/matrix/rules.js';
import { ScopeField } from '../../access/matrix/ScopePicker.js';
import { catalogQuery } from '../../access/permissions.js';
import { useScopeNames } from '../../access/scopes.js';
import { useSession } from '../../access/session.js';
import { Combobox, type ComboboxItem } from '../../ui/combobox/Combobox.js';
import { Page } from '../../ui/page/Page.js';
import { Select } from '../../ui/select/Select.js';
import { EmptyState } from '../../ui/states/EmptyState.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { Answer } from './Answer.js';
import css from './EffectivePermissionsPage.module.css';
import { usePrincipals } from './principals.js';
import { principalOf, scopeOf } from './question.js';
import { t } from './texts.js';

const route = getRouteApi('/_app/effective-permissions');

/** Answers why somebody may or may not do something. The question stands in the address. */
export function EffectivePermissionsPage(): ReactNode {
  const { who, what, on } = route.useSearch();
  const navigate = route.useNavigate();
  const { user, tenant } = useSession();
  const catalog = useQuery(catalogQuery);
  const principals = usePrincipals();

  const principal = principalOf(who) ?? { kind: 'User' as const, id: user.id };
  const permission = catalog.data?.find(({ name }) => name === what);
  const scope = scopeOf(on) ?? (permission === undefined ? null : usualScope(permission, tenant.id));
  const principalKey = `${principal.kind}:${principal.id}`;
  const principalItem = principals.find(({ value }) => value === principalKey) ?? { value: principalKey, label: principal.id };
  const ask = (part: { readonly who?: string; readonly what?: string; readonly on?: string }): void =>
    void navigate({ search: { who, what, on, ...part }, replace: true });

  if (catalog.isError) {
    return (
      <Page title={t('title')}>
        <ErrorState error={catalog.error} onRetry={() => void catalog.refetch()} />
      </Page>
    );
  }
  return (
    <Page title={t('title')}>
      <p className="muted">{t('intro')}</p>
      <div className={css.question}>
        <Combobox
          name="who"
          label={t('who')}
          items={principals}
          value={principalItem}
          onValueChange={(item) => ask({ who: item?.value })}
        />
        <Combobox
          name="what"
          label={t('what')}
          items={(catalog.data ?? []).map(({ name, displayName }) => ({ value: name, label: displayName, detail: name }))}
          value={permission === undefined ? null : { value: permission.name, label: permission.displayName }}
          onValueChange={(item) => ask({ what: item?.value, on: undefined })}
          busy={catalog.isPending}
        />
        {permission !== undefined && scope !== null && (
          <ScopeChoice
            key={scope.kind}
            scope={scope}
            kinds={permission.allowedScopeKinds ?? []}
            onChange={(next) => ask({ on: next.id === null ? next.kind : scopeKey(next) })}
          />
        )}
      </div>
      {permission !== undefined && scope !== null ? (
        <Answer principal={principal} principalName={principalItem.label} permission={permission} scope={scope} />
      ) : (
        <EmptyState title={t('ask')}>{t('ask-text')}</EmptyState>
      )}
    </Page>
  );
}

interface ScopeChoiceProps {
  readonly scope: Scope;
  /** The kinds at which the permission can be assigned. */
  readonly kinds: readonly string[];
  readonly onChange: (scope: Scope) => void;
}

/** Where the permission is asked for: the server, the tenant, or something in it. */
function ScopeChoice({ scope, kinds, onChange }: ScopeChoiceProps): ReactNode {
  const { tenant } = useSession();
  const nameOf = useScopeNames([scope]);
  // A kind without its object asks nothing yet.
  const [kind, setKind] = useState(scope.kind);
  const item: ComboboxItem | null = kind === scope.kind && scope.id !== null ? { value: scope.id, label: nameOf(scope) } : null;
  return (
    <>
      <Select
        name="kind"
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
