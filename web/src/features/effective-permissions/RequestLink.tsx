import type { ReactNode } from 'react';

import { useSession } from '../../access/session.js';
import { CopyField } from '../../ui/copy/CopyField.js';
import { permissionName } from '../../i18n/permission-names.js';
import { stringifySearch } from '../../model/search-params.js';
import { t } from './texts.js';

interface RequestLinkProps {
  readonly what: string | undefined;
  readonly on: string | undefined;
}

/** For users who may not read permissions: the question as a link for another user who may. */
export function RequestLink({ what, on }: RequestLinkProps): ReactNode {
  const { user } = useSession();
  const link = `${location.origin}/effective-permissions${stringifySearch({ who: `User:${user.id}`, what, on })}`;
  return (
    <section className="stack">
      <p>{t('may-not-read', { permission: permissionName('tenant.permissions.read') })}</p>
      {what !== undefined && <p>{t('asks-for', { permission: permissionName(what) })}</p>}
      <CopyField label={t('request-link')} value={link} hint={t('request-hint')} wrap />
    </section>
  );
}
