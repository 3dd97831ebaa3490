import { useMutation, useQuery } from '@tanstack/react-query';
import { Trash2, UserPlus } from 'lucide';
import { type ReactNode, useState } from 'react';

import { useCan } from '../../access/can.js';
import { api, bodyOf } from '../../api/client.js';
import { changed } from '../../api/queries.js';
import { Button } from '../../ui/button/Button.js';
import { RevokeDialog } from '../../ui/confirm/RevokeDialog.js';
import { SecretDialog } from '../../ui/copy/SecretDialog.js';
import { type Column, DataTable } from '../../ui/data-table/DataTable.js';
import { Dialog } from '../../ui/dialog/Dialog.js';
import { TextField } from '../../ui/field/Field.js';
import { Form } from '../../ui/form/Form.js';
import { FormActions } from '../../ui/form/FormActions.js';
import { LinkButton } from '../../ui/link-button/LinkButton.js';
import { Page } from '../../ui/page/Page.js';
import { RelativeTime } from '../../ui/relative-time/RelativeTime.js';
import { EmptyState } from '../../ui/states/EmptyState.js';
import { type Invite, invitesQuery } from './queries.js';
import { t } from './texts.js';

const COLUMNS: readonly Column<Invite>[] = [
  { id: 'email', header: t('email'), cell: ({ inviteeEmail }) => inviteeEmail, sortBy: ({ inviteeEmail }) => inviteeEmail },
  {
    id: 'invited',
    header: t('invited'),
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    sortBy: ({ createdAt }) => createdAt,
    phone: 'side',
  },
];

/** Those who were invited by e-mail and have not accepted yet. */
export function InvitesPage(): ReactNode {
  const invites = useQuery(invitesQuery);
  const mayWrite = useCan('tenant.users.write');
  const [isInviting, setInviting] = useState(false);
  const [link, setLink] = useState<string | null>(null);
  const [withdrawn, setWithdrawn] = useState<Invite | null>(null);
  const invite = mayWrite ? (
    <Button look="primary" icon={UserPlus} onClick={() => setInviting(true)}>
      {t('invite')}
    </Button>
  ) : undefined;
  return (
    <Page
      title={t('invites')}
      count={invites.data?.length}
      actions={
        <>
          <LinkButton to="/users">{t('title')}</LinkButton>
          {invite}
        </>
      }
    >
      <p className="muted">{t('invites-intro')}</p>
      <DataTable
        label={t('invites')}
        rows={invites.data}
        rowKey={({ id }) => id}
        columns={COLUMNS}
        defaultSort="-invited"
        rowName={({ inviteeEmail }) => inviteeEmail}
        rowMenu={
          mayWrite ? (each) => [{ label: t('withdraw'), icon: Trash2, danger: true, onSelect: () => setWithdrawn(each) }] : undefined
        }
        error={invites.error}
        onRetry={() => void invites.refetch()}
        empty={
          <EmptyState title={t('invites-empty')} actions={invite}>
            {t('invites-empty-text')}
          </EmptyState>
        }
      />
      <Dialog open={isInviting} onClose={() => setInviting(false)} title={t('invite-title')} description={t('invite-text')}>
        {isInviting && (
          <InviteForm
            onClose={() => setInviting(false)}
            onInvited={(url) => {
              setInviting(false);
              setLink(url);
            }}
          />
        )}
      </Dialog>
      <SecretDialog
        title={t('invited-title')}
        description={t('invited-text')}
        label={t('invite-link')}
        value={link}
        onClose={() => setLink(null)}
      />
      <RevokeDialog
        subject={withdrawn}
        onClose={() => setWithdrawn(null)}
        title={({ inviteeEmail }) => t('withdraw-title', { name: inviteeEmail })}
        text={() => t('withdraw-text')}
        action={() => t('withdraw')}
        act={({ id }) => api.DELETE('/api/v1/invites/{inviteId}', { params: { path: { inviteId: id } } })}
        onDone={() => changed('invites', 'users')}
      />
    </Page>
  );
}

interface InviteFormProps {
  readonly onClose: () => void;
  /** Gets the link at which the invited person sets a password. */
  readonly onInvited: (url: string) => void;
}

function InviteForm({ onClose, onInvited }: InviteFormProps): ReactNode {
  const create = useMutation({
    async mutationFn(inviteeEmail: string) {
      const { inviteUrl } = await bodyOf(api.POST('/api/v1/invites', { body: { inviteeEmail } }));
      onInvited(inviteUrl);
      await changed('invites', 'users');
    },
    gcTime: 0,
  });
  return (
    <Form error={create.error} onSubmit={({ inviteeEmail = '' }) => create.mutate(inviteeEmail)}>
      <TextField name="inviteeEmail" type="email" label={t('email')} maxLength={256} required autoFocus autoComplete="off" />
      <FormActions>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button type="submit" look="primary" busy={create.isPending}>
          {t('invite')}
        </Button>
      </FormActions>
    </Form>
  );
}
