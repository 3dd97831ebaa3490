import { type LinkProps, linkOptions } from '@tanstack/react-router';

import type { Assignment } from '../../api/access/permission-assignments.js';

/** Page on which an assignment is changed: that of its holder, searched for the permission. */
export function holderPage({ principalKind, principalId, permissionName: q }: Assignment): LinkProps {
  if (principalKind === 'UserGroup')
    return linkOptions({ to: '/user-groups/$userGroupId/access', params: { userGroupId: principalId }, search: { q } });
  if (principalKind === 'ServiceAccount')
    return linkOptions({ to: '/service-accounts/$serviceAccountId/access', params: { serviceAccountId: principalId }, search: { q } });
  return linkOptions({ to: '/users/$userId/access', params: { userId: principalId }, search: { q } });
}
