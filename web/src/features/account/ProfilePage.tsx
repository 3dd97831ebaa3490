import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { useSession } from '../../access/session.js';
import type { Versioned } from '../../state/versioned.js';
import { formatInstant } from '../../i18n/format.js';
import { Banner } from '../../ui/banner/Banner.js';
import { Button } from '../../ui/button/Button.js';
import { EditForm } from '../../ui/edit/EditForm.js';
import { TextField } from '../../ui/field/Field.js';
import { Form } from '../../ui/form/Form.js';
import { FormActions } from '../../ui/form/FormActions.js';
import { Property, PropertyList } from '../../ui/property-list/PropertyList.js';
import { SkeletonList } from '../../ui/skeleton/Skeleton.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { toast } from '../../ui/toast/toasts.js';
import { AccountPage, Narrow, Section } from './AccountPage.js';
import { changeEmail, type Profile, profileQuery } from '../../api/people/account.js';
import { DISPLAY_NAME, displayNameIn, type ProfileField } from './display-name.js';
import { t } from './texts.js';
import type { Schemas } from '../../model/schemas.js';

type EmailField = keyof Schemas['ChangeEmailRequestDto'];

/** Page for the user's profile: the name that others see, the e-mail address, and the ids that support asks for. */
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
          <DisplayName version={profile.data} />
          <EmailAddress profile={profile.data.value} />
          <Ids profile={profile.data.value} />
        </>
      )}
    </AccountPage>
  );
}

interface PartProps {
  readonly profile: Profile;
}

function DisplayName({ version }: { readonly version: Versioned<Profile> }): ReactNode {
  return (
    <Section title={t('display-name')} text={t('display-name-text')}>
      <Narrow>
        <EditForm
          name={t('display-name')}
          of={DISPLAY_NAME}
          start={displayNameIn(version)}
          labelOf={() => t('display-name')}
          action={t('save')}
          look="plain"
          onSaved={() => void toast(t('saved'))}
        >
          {({ displayName }) => (
            <TextField<ProfileField>
              name="displayName"
              label={t('display-name')}
              hideLabel
              defaultValue={displayName}
              placeholder={version.value.userName}
              autoComplete="name"
            />
          )}
        </EditForm>
      </Narrow>
    </Section>
  );
}

function EmailAddress({ profile }: PartProps): ReactNode {
  const { server } = useSession();
  const change = useMutation({ mutationFn: changeEmail });
  return (
    <Section title={t('email')} text={t('email-now', { email: profile.email ?? profile.userName })}>
      {!server.isMailSent && <Banner>{t('email-no-mail')}</Banner>}
      {change.isSuccess && <Banner look="ok">{t('email-mailed', { email: change.variables })}</Banner>}
      {server.isMailSent && (
        <Narrow>
          <Form<EmailField> error={change.error} onSubmit={({ newEmail = '' }) => change.mutate(newEmail)}>
            <TextField<EmailField>
              name="newEmail"
              label={t('email-new')}
              hint={t('email-hint')}
              type="email"
              autoComplete="email"
              required
            />
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
