import { useQuery } from '@tanstack/react-query';

import { useCan } from '../../access/can.js';
import type { PrincipalKind } from '../../api/access/permission-assignments.js';
import { useSession } from '../../access/session.js';
import type { ComboboxItem } from '../../ui/combobox/Combobox.js';
import { accountsQuery } from '../../api/people/service-accounts.js';
import { userGroupsQuery } from '../../api/people/user-groups.js';
import { nameOf, usersQuery } from '../../api/people/users.js';
import { t } from './texts.js';

const item = (kind: PrincipalKind, id: string, label: string): ComboboxItem => ({
  value: `${kind}:${id}`,
  label,
  detail: t(`kind-${kind}`),
});

/**
 * All principals that the caller can ask about: users, groups and service accounts of the tenant. The caller itself is always among them.
 * The service answers no questions about accounts of the server.
 */
export function usePrincipals(): readonly ComboboxItem[] {
  const { user } = useSession();
  const mayReadUsers = useCan('tenant.users.read');
  const users = useQuery({ ...usersQuery, enabled: mayReadUsers });
  const groups = useQuery({ ...userGroupsQuery, enabled: useCan('tenant.user-groups.read') });
  const accounts = useQuery({ ...accountsQuery('tenant'), enabled: useCan('service-account.read') });
  const all = [
    item('User', user.id, t('you')),
    ...(users.data ?? []).map((each) => item('User', each.id, nameOf(each))),
    ...(groups.data ?? []).map(({ id, name }) => item('UserGroup', id, name)),
    ...(accounts.data ?? []).map(({ id, name }) => item('ServiceAccount', id, name)),
  ];
  // The name of the caller, where it could be read, replaces "You".
  return [...new Map(all.map((each) => [each.value, each])).values()];
}
