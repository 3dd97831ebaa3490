import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { holds } from '../../access/rights.js';
import { useSession } from '../../access/session.js';
import type { Log } from '../../api/access/change-log.js';
import type { PermissionName } from '../../model/permissions/names.js';
import type { EntrySubject } from './entry.js';
import { t } from './texts.js';

/** The permission that the page of an object asks for, by kind. A device has rights of its own: its page says what is missing. */
const READ_WITH: Readonly<Partial<Record<string, PermissionName>>> = {
  Customer: 'tenant.customers.read',
  DeviceGroup: 'tenant.device-groups.read',
  ServiceAccount: 'service-account.read',
  User: 'tenant.users.read',
  UserGroup: 'tenant.user-groups.read',
};

interface ObjectLinkProps {
  readonly subject: EntrySubject;
  readonly log: Log;
  readonly children: ReactNode;
}

/** The name of what an entry concerns, as a link to its page while there is one that the user may open. */
export function ObjectLink({ subject: { kind, id, exists }, log, children }: ObjectLinkProps): ReactNode {
  const session = useSession();
  const permission = READ_WITH[kind];
  if (!exists)
    return (
      <>
        {children} {HAS_PAGE.has(kind) && log !== 'server' && <span className="muted">{t('deleted')}</span>}
      </>
    );
  if (log === 'server') {
    if (kind !== 'ServiceAccount' || !holds(session, 'server.service-accounts.read')) return children;
    return (
      <Link className="link" to="/server/service-accounts/$serviceAccountId" params={{ serviceAccountId: id }}>
        {children}
      </Link>
    );
  }
  // Users act in their own tenant only: nothing of another one has a page here.
  if (log !== 'tenant' || (permission !== undefined && !holds(session, permission))) return children;
  switch (kind) {
    case 'Customer':
      return (
        <Link className="link" to="/customers/$customerId" params={{ customerId: id }}>
          {children}
        </Link>
      );
    case 'Device':
      return (
        <Link className="link" to="/devices/$deviceId" params={{ deviceId: id }}>
          {children}
        </Link>
      );
    case 'DeviceGroup':
      return (
        <Link className="link" to="/device-groups/$deviceGroupId" params={{ deviceGroupId: id }}>
          {children}
        </Link>
      );
    case 'InstallerKey':
      return (
        <Link className="link" to="/installer-keys/$keyId" params={{ keyId: id }}>
          {children}
        </Link>
      );
    case 'ServiceAccount':
      return (
        <Link className="link" to="/service-accounts/$serviceAccountId" params={{ serviceAccountId: id }}>
          {children}
        </Link>
      );
    case 'Tag':
      return (
        <Link className="link" to="/tags/$tagId" params={{ tagId: id }}>
          {children}
        </Link>
      );
    case 'User':
      return (
        <Link className="link" to="/users/$userId" params={{ userId: id }}>
          {children}
        </Link>
      );
    case 'UserGroup':
      return (
        <Link className="link" to="/user-groups/$userGroupId" params={{ userGroupId: id }}>
          {children}
        </Link>
      );
    default:
      return children;
  }
}

const HAS_PAGE: ReadonlySet<string> = new Set([
  'Customer',
  'Device',
  'DeviceGroup',
  'InstallerKey',
  'ServiceAccount',
  'Tag',
  'User',
  'UserGroup',
]);
