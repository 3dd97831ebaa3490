import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { useSession } from '../../access/session.js';
import { api, type Schemas } from '../../api/client.js';
import { formatInstant } from '../../i18n/format.js';
import { Banner } from '../../ui/banner/Banner.js';
import { Button } from '../../ui/button/Button.js';
import { TextField } from '../../ui/field/Field.js';
import { Form } from '../../ui/form/Form.js';
import { FormActions } from '../../ui/form/FormActions.js';
import { Property, PropertyList } from '../../ui/property-list/PropertyList.js';
import { SkeletonList } from '../../ui/skeleton/Skeleton.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { toast } from '../../ui/toast/toasts.js';
import { AccountPage, Narrow, Section } from './AccountPage.js';
import { accountChanged, profileQuery } from '../../api/account.js';
import { t } from './texts.js';

type Profile = Schemas['ProfileResponseDto'];

/** Who the user is: the name that others see, the e-mail address, and the ids that support asks for. */
export function ProfilePage(): ReactNode {
  const profile = useQuery(profileQuery);
  return (
    <AccountPage tab="profile">
      {profile.data === undefined ? (
        profile.isError ? (
          <ErrorState error={profile.error} onRetry={() => void profile.refetch()} />
        ) : (
          <SkeletonList rows={4} columns={[1]} />
        )
      ) : (
        <>
          <DisplayName profile={profile.data} />
          <EmailAddress profile={profile.data} />
          <Ids profile={profile.data} />
        </>
      )}
    </AccountPage>
  );
}

interface PartProps {
  readonly profile: Profile;
}

function DisplayName({ profile }: PartProps): ReactNode {
  const save = useMutation({
    async mutationFn(displayName: string) {
      await api.PUT('/account/profile', { body: { displayName } });
      toast(t('saved'));
      await accountChanged();
    },
  });
  return (
    <Section title={t('display-name')} text={t('display-name-text')}>
      <Narrow>
        <Form error={save.error} onSubmit={({ displayName = '' }) => save.mutate(displayName)}>
          <TextField
            name="displayName"
            label={t('display-name')}
            hideLabel
            defaultValue={profile.displayName}
            placeholder={profile.userName}
            autoComplete="name"
          />
          <FormActions>
            <Button type="submit" busy={save.isPending}>
              {t('save')}
            </Button>
          </FormActions>
        </Form>
      </Narrow>
    </Section>
  );
}

function EmailAddress({ profile }: PartProps): ReactNode {
  const { server } = useSession();
  const change = useMutation({ mutationFn: (newEmail: string) => api.POST('/account/email/change', { body: { newEmail } }) });
  return (
    <Section title={t('email')} text={t('email-now', { email: profile.email ?? profile.userName })}>
      {!server.isMailSent && <Banner>{t('email-no-mail')}</Banner>}
      {change.isSuccess && <Banner look="ok">{t('email-mailed', { email: change.variables })}</Banner>}
      {server.isMailSent && (
        <Narrow>
          <Form error={change.error} onSubmit={({ newEmail = '' }) => change.mutate(newEmail)}>
            <TextField name="newEmail" label={t('email-new')} hint={t('email-hint')} type="email" autoComplete="email" required />
            <FormActions>
              <Button type="submit" busy={change.isPending}>
                {t('email-change')}
              </Button>
            </FormActions>
          </Form>
        </Narrow>
      )}
    </Section>
  );
}

function Ids({ profile: { id, tenantId, userName, createdAt } }: PartProps): ReactNode {
  const { tenant } = useSession();
  return (
    <Section title={t('ids')} text={t('ids-text')}>
      <PropertyList>
        <Property term={t('user-name')} copy={userName}>
          {userName}
        </Property>
        <Property term={t('user-id')} copy={id} mono>
          {id}
        </Property>
        <Property term={t('tenant')}>{tenant.name}</Property>
        <Property term={t('tenant-id')} copy={tenantId} mono>
          {tenantId}
        </Property>
        <Property term={t('created')}>{formatInstant(createdAt)}</Property>
      </PropertyList>
    </Section>
  );
}
