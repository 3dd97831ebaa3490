import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { renewSession } from '../../access/session.js';
import { acceptInvitation, invitationQuery } from '../../api/people/sign-in.js';
import { problemOf } from '../../problem/problem.js';
import { Button } from '../../ui/button/Button.js';
import { TextField } from '../../ui/field/Field.js';
import { Form } from '../../ui/form/Form.js';
import { LinkButton } from '../../ui/link-button/LinkButton.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { ProblemText } from '../../ui/states/ProblemText.js';
import { NewPasswordField } from '../../parts/sign-in/NewPasswordField.js';
import { ColumnHead } from './SignedOutLayout.js';
import { t } from '../../parts/sign-in/texts.js';

type Field = 'email' | 'password';

const route = getRouteApi('/_signed-out/invite-confirmation/$code');

/** Accepts an invite: choosing a password makes the account, or completes it. */
export function InvitationPage(): ReactNode {
  const { code } = route.useParams();
  const router = useRouter();
  const invite = useQuery(invitationQuery(code));
  const accept = useMutation({
    async mutationFn({ email, password }: { readonly email: string; readonly password: string }) {
      await acceptInvitation(code, email, password);
      await renewSession();
      await router.navigate({ to: '/devices', replace: true });
    },
  });
  if (invite.isError && problemOf(invite.error).status === 404) {
    return (
      <>
        <ColumnHead title={t('invite-gone-title')}>
          <ProblemText error={invite.error} />
        </ColumnHead>
        <LinkButton to="/signin">{t('to-sign-in')}</LinkButton>
      </>
    );
  }
  if (invite.isError) {
    return (
      <>
        <ColumnHead title={t('invite-title')} />
        <ErrorState error={invite.error} onRetry={() => void invite.refetch()} />
      </>
    );
  }
  if (invite.data === undefined) return <ColumnHead title={t('invite-title')} />;
  const { inviteeEmail, inviterName, tenantName } = invite.data;
  return (
    <>
      <ColumnHead title={t('invite-title')}>
        {inviterName === null
          ? t('invite-text', { tenant: tenantName ?? t('product') })
          : t('invite-text-by', { inviter: inviterName, tenant: tenantName ?? t('product') })}
      </ColumnHead>
      <Form<Field> error={accept.error} onSubmit={({ password = '' }) => accept.mutate({ email: inviteeEmail, password })}>
        <TextField<Field> name="email" label={t('email')} type="email" autoComplete="username" value={inviteeEmail} readOnly />
        <NewPasswordField<Field> name="password" label={t('password')} autoFocus />
        <Button type="submit" look="primary" wide busy={accept.isPending}>
          {t('invite-accept')}
        </Button>
      </Form>
    </>
  );
}
