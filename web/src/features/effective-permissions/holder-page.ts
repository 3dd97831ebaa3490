import { type LinkProps, linkOptions } from '@tanstack/react-router';

import type { Assignment } from '../../access/permissions.js';

/** Where an assignment is changed: on the page of whoever holds it. */
export function holderPage({ principalKind, principalId }: Assignment): LinkProps {
  if (principalKind === 'UserGroup') return linkOptions({ to: '/user-groups/$userGroupId', params: { userGroupId: principalId } });
  if (principalKind === 'ServiceAccount') {
    return linkOptions({ to: '/service-accounts/$serviceAccountId', params: { serviceAccountId: principalId } });
  }
  return linkOptions({ to: '/users/$userId', params: { userId: principalId } });
}
