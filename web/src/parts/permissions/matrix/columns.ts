import { useMemo } from 'react';

import type { Schemas } from '../../../api/client.js';
import type { Assignment } from '../../../api/access/permission-assignments.js';
import { useSession } from '../../../access/session.js';
import { columnsOf, type Scope, scopeKey, scopeOf } from '../../../model/permissions/scopes.js';
import { t } from '../texts.js';
import type { Changes } from './contents.js';

/** A scope with the name that it was picked by. */
export interface PickedScope {
  readonly scope: Scope;
  readonly name: string;
}

/** The server as a scope. */
export const SERVER: PickedScope = { scope: { kind: 'Server', id: null }, name: t('kind-Server') };

interface Sources {
  readonly isOfServer: boolean;
  /** Assignments of the principal and of its groups. */
  readonly assignments: readonly Assignment[];
  /** Names of their scopes, as far as the caller may read them. */
  readonly scopes: readonly Schemas['ScopeNameDto'][];
  readonly picked: readonly PickedScope[];
  readonly changes: Changes;
}

interface Columns {
  readonly columns: readonly Scope[];
  readonly scopeName: (scope: Scope) => string;
}

/** The scopes of the matrix, the broadest first and those of one kind by name. Names that the caller may not read are replaced by the id. */
export function useColumns({ isOfServer, assignments, scopes, picked, changes }: Sources): Columns {
  const { tenant } = useSession();
  return useMemo(() => {
    const names = new Map([
      ...scopes.map(({ scopeKind, scopeId, name }) => [scopeKey({ kind: scopeKind, id: scopeId }), name] as const),
      ...picked.map(({ scope, name }) => [scopeKey(scope), name] as const),
      [scopeKey({ kind: 'Tenant', id: tenant.id }), tenant.name || t('kind-Tenant')] as const,
      [scopeKey(SERVER.scope), SERVER.name] as const,
    ]);
    const scopeName = (scope: Scope): string => names.get(scopeKey(scope)) ?? scope.id ?? t(`kind-${scope.kind}`);
    const all: readonly Scope[] = [
      ...(isOfServer ? [SERVER.scope] : []),
      { kind: 'Tenant', id: tenant.id },
      ...picked.map(({ scope }) => scope),
      ...[...changes.values()].map(({ scope }) => scope),
      ...assignments.map(scopeOf),
    ];
    // Sorting by kind keeps this order within each kind.
    const byName = [...all].sort((a, b) => scopeName(a).localeCompare(scopeName(b)));
    return { columns: columnsOf(byName), scopeName };
  }, [isOfServer, assignments, scopes, picked, changes, tenant.id, tenant.name]);
}
