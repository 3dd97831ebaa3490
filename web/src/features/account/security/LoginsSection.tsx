import { useMutation, useQuery } from '@tanstack/react-query';
import { Link2, Unlink } from 'lucide';
import { type ReactNode, useState } from 'react';

import { useSession } from '../../../access/session.js';
import { Banner } from '../../../ui/banner/Banner.js';
import { Button } from '../../../ui/button/Button.js';
import { RevokeDialog } from '../../../ui/confirm/RevokeDialog.js';
import { type Column, DataTable } from '../../../ui/data-table/DataTable.js';
import { RelativeTime } from '../../../ui/relative-time/RelativeTime.js';
import { ProblemText } from '../../../ui/states/ProblemText.js';
import { externalErrorText } from '../../../parts/sign-in/external-errors.js';
import { Section } from '../AccountPage.js';
import { connectLogin, type ConnectedLogin, disconnectLogin, loginsQuery } from '../../../api/people/logins.js';
import { t } from '../texts.js';

/** Display name of a login: the name that its provider has for the person. */
const nameOf = ({ email, displayName, providerDisplayName }: ConnectedLogin): string => email ?? displayName ?? providerDisplayName;

const COLUMNS: readonly Column<ConnectedLogin>[] = [
  { id: 'provider', header: t('login-provider'), cell: ({ providerDisplayName }) => providerDisplayName },
  { id: 'name', header: t('login-as'), cell: nameOf, phone: 'detail' },
  {
    id: 'used',
    header: t('last-used'),
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? t('never') : <RelativeTime at={lastUsedAt} />),
    phone: 'side',
  },
];

/** The logins of other providers that sign the user in; nothing where there are no providers. */
export function LoginsSection({ externalError }: { readonly externalError: string | undefined }): ReactNode {
  const { server } = useSession();
  const logins = useQuery(loginsQuery);
  const [removed, setRemoved] = useState<ConnectedLogin | null>(null);
  const connect = useMutation({
    async mutationFn(provider: string) {
      location.assign(await connectLogin(provider, '/account/security'));
    },
  });
  if (server.externalProviders.length === 0 && (logins.data ?? []).length === 0) return null;
  return (
    <Section
      title={t('logins')}
      text={t('logins-text')}
      actions={
        <div className="row wrap">
          {server.externalProviders.map(({ name, displayName }) => (
            <Button key={name} icon={Link2} busy={connect.isPending && connect.variables === name} onClick={() => connect.mutate(name)}>
              {t('login-connect', { provider: displayName })}
            </Button>
          ))}
        </div>
      }
    >
      {externalError !== undefined && <Banner look="bad">{externalErrorText(externalError)}</Banner>}
      {connect.isError && (
        <Banner look="bad">
          <ProblemText error={connect.error} />
        </Banner>
      )}
      <DataTable
        label={t('logins')}
        rows={logins.data}
        rowKey={({ id }) => id}
        columns={COLUMNS}
        rowName={nameOf}
        rowMenu={(login) => [{ label: t('login-disconnect'), icon: Unlink, danger: true, onSelect: () => setRemoved(login) }]}
        error={logins.error}
        onRetry={() => void logins.refetch()}
        empty={<p className="faint">{t('logins-empty')}</p>}
      />
      <RevokeDialog
        subject={removed}
        onClose={() => setRemoved(null)}
        title={(login) => t('login-disconnect-title', { name: nameOf(login), provider: login.providerDisplayName })}
        text={() => t('login-disconnect-text')}
        action={() => t('login-disconnect')}
        act={({ id }) => disconnectLogin(id)}
      />
    </Section>
  );
}
