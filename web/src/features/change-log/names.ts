import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

import { useCan } from '../../access/can.js';
import { listQuery } from '../../api/lists.js';
import { accountsQuery } from '../../api/people/service-accounts.js';
import { nameOf, usersQuery } from '../../api/people/users.js';
import type { NameOf } from './entry.js';

/** Names of the ids in the log, as far as the user may read them. */
export function useNames(): NameOf {
  const { data: users } = useQuery({ ...usersQuery, enabled: useCan('tenant.users.read') });
  const { data: userGroups } = useQuery({ ...listQuery('user-groups'), enabled: useCan('tenant.user-groups.read') });
  const { data: accounts } = useQuery({ ...accountsQuery('tenant'), enabled: useCan('service-account.read') });
  const { data: serverAccounts } = useQuery({ ...accountsQuery('server'), enabled: useCan('server.service-accounts.read') });
  const { data: customers } = useQuery({ ...listQuery('customers'), enabled: useCan('tenant.customers.read') });
  const { data: deviceGroups } = useQuery({ ...listQuery('device-groups'), enabled: useCan('tenant.device-groups.read') });
  const { data: tags } = useQuery(listQuery('tags'));
  return useMemo(() => {
    const byId = new Map((users ?? []).map((user) => [user.id, nameOf(user)]));
    for (const list of [userGroups, accounts, serverAccounts, customers, deviceGroups, tags])
      for (const { id, name } of list ?? []) byId.set(id, name);
    return (id) => byId.get(id);
  }, [users, userGroups, accounts, serverAccounts, customers, deviceGroups, tags]);
}
