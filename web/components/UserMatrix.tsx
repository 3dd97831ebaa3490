import { type ReactNode, useMemo, useState } from 'react';

import type { Assignment, CatalogEntry } from '../src/api/access/permission-assignments.js';
import { useSession } from '../src/access/session.js';
import { Matrix } from '../src/parts/permissions/matrix/Matrix.js';
import type { HeldPermission, ShownMatrix } from './shown.js';

const permission = (name: HeldPermission['permission'], categoryLabel: string, displayName: string): CatalogEntry => ({
  name,
  displayName,
  categoryLabel,
  description: '',
  allowedScopeKinds: name.startsWith('device.') ? ['Tenant', 'CustomerTenant'] : ['Tenant'],
  selfRemovable: true,
});

const CATALOG: readonly CatalogEntry[] = [
  permission('device.read', 'Devices', 'Read Device'),
  permission('device.delete', 'Devices', 'Delete Device'),
  permission('tenant.users.write', 'Users', 'Manage Tenant Users'),
];

/** The matrix of one user. Each group and each customer has its name as its id. */
export function UserMatrix({ held }: ShownMatrix): ReactNode {
  const { tenant } = useSession();
  const [text, setText] = useState('');
  const all = useMemo(() => held.map((each, index) => assignmentOf(each, index, tenant.id)), [held, tenant.id]);
  const own = useMemo(() => all.filter(({ principalKind }) => principalKind === 'User'), [all]);
  const ofGroups = useMemo(() => all.filter(({ principalKind }) => principalKind === 'UserGroup'), [all]);
  return (
    <main>
      <Matrix
        principal={{ kind: 'User', id: 'user' }}
        isOfServer={false}
        text={text}
        onText={setText}
        catalog={CATALOG}
        assignments={own}
        groups={ofGroups.map(({ principalId }) => ({ id: principalId, name: principalId }))}
        groupAssignments={ofGroups}
        scopes={[]}
      />
    </main>
  );
}

const assignmentOf = ({ group, customer, ...held }: HeldPermission, index: number, tenantId: string): Assignment => ({
  id: `${index}`,
  principalKind: group === undefined ? 'User' : 'UserGroup',
  principalId: group ?? 'user',
  permissionName: held.permission,
  effect: held.effect,
  scopeKind: customer === undefined ? 'Tenant' : 'CustomerTenant',
  scopeId: customer ?? tenantId,
  notes: null,
  isEnabled: held.isEnabled ?? true,
  createdAt: '2026-01-01T00:00:00Z',
});
