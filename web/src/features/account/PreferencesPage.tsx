import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { changePreferences } from '../../access/preferences/account.js';
import { usePreferences } from '../../state/preferences/browser.js';
import { type Preferences, PREFERENCES } from '../../state/preferences/preferences.js';
import { effectivePreferencesQuery, readViewerName, storeNotify, storeViewerName } from '../../api/people/preferences.js';
import { versionAs } from '../../state/versioned.js';
import { type Language, LANGUAGES } from '../../i18n/language.js';
import type { Editable } from '../../ui/edit/save-over.js';
import { StoredForm } from '../../ui/edit/StoredForm.js';
import { TextField } from '../../ui/field/Field.js';
import type { FormValues } from '../../ui/form/Form.js';
import { RadioGroup } from '../../ui/radio-group/RadioGroup.js';
import { Select } from '../../ui/select/Select.js';
import { SkeletonList } from '../../ui/skeleton/Skeleton.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { Switch } from '../../ui/switch/Switch.js';
import { toast, toastProblem } from '../../ui/toast/toasts.js';
import { AccountPage, Narrow, Section } from './AccountPage.js';
import { t } from './texts.js';
import type { Schemas } from '../../model/schemas.js';

/** Page for the look and behaviour of the pages, and for the name of the user that people at a device see. */
export function PreferencesPage(): ReactNode {
  return (
    <AccountPage tab="preferences">
      <Look />
      <AtTheDevice />
    </AccountPage>
  );
}

/** The pseudo-language is for those who write the pages: others never see it. */
const languages = (chosen: Language) =>
  PREFERENCES.language.filter((language) => language !== 'en-XA' || language === chosen || import.meta.env.DEV);

function Look(): ReactNode {
  const { theme, density, motion, language, singleKeys, deviceTab, terminals } = usePreferences();
  return (
    <Section title={t('look')} text={t('look-text')}>
      <RadioGroup<Preferences['theme']>
        label={t('theme')}
        value={theme}
        onValueChange={(chosen) => changePreferences({ theme: chosen })}
        options={PREFERENCES.theme.map((value) => ({ value, label: t(`theme-${value}`) }))}
      />
      <RadioGroup<Preferences['density']>
        label={t('density')}
        value={density}
        onValueChange={(chosen) => changePreferences({ density: chosen })}
        options={PREFERENCES.density.map((value) => ({ value, label: t(`density-${value}`) }))}
      />
      <Narrow>
        <div className="stack">
          <Switch
            label={t('terminals')}
            hint={t('terminals-hint')}
            checked={terminals === 'theme'}
            onCheckedChange={(isOn) => changePreferences({ terminals: isOn ? 'theme' : 'dark' })}
          />
          <Switch
            label={t('motion')}
            hint={t('motion-hint')}
            checked={motion === 'reduced'}
            onCheckedChange={(isOn) => changePreferences({ motion: isOn ? 'reduced' : 'full' })}
          />
          <Switch
            label={t('device-tab')}
            hint={t('device-tab-hint')}
            checked={deviceTab === 'new'}
            onCheckedChange={(isOn) => changePreferences({ deviceTab: isOn ? 'new' : 'same' })}
          />
          <Switch
            label={t('single-keys')}
            hint={t('single-keys-hint')}
            checked={singleKeys === 'on'}
            onCheckedChange={(isOn) => changePreferences({ singleKeys: isOn ? 'on' : 'off' })}
          />
          <Select<Language>
            label={t('language')}
            value={language}
            onValueChange={(chosen) => changePreferences({ language: chosen })}
            options={languages(language).map((value) => ({ value, label: LANGUAGES[value] }))}
          />
        </div>
      </Narrow>
    </Section>
  );
}

type NameField = keyof Schemas['UserPreferenceRequestDto'];

/** Name of the user for people at a device, as a form changes it. An empty one removes it. */
const VIEWER_NAME: Editable<NameField> = {
  read: async () => versionAs(await readViewerName(), nameIn),
  save: async ({ value = '' }, tag) => versionAs(await storeViewerName(value, tag), nameIn),
};

const nameIn = (stored: { readonly value: string | null } | undefined): FormValues<NameField> => ({ value: stored?.value ?? '' });

function AtTheDevice(): ReactNode {
  const effective = useQuery(effectivePreferencesQuery);
  const notify = useMutation({
    mutationFn: storeNotify,
    // Until then the switch is busy: the former choice is not shown once more.
    onSuccess: () => effective.refetch({ cancelRefetch: false }),
    onError: (error) => void toastProblem(error),
  });
  const isDecided = effective.data?.isNotifyUserOnSessionStartTenantEnforced === true;
  return (
    <Section title={t('at-device')} text={t('at-device-text')}>
      <Narrow>
        <div className="stack">
          {effective.isError && <ErrorState error={effective.error} onRetry={() => void effective.refetch()} />}
          {effective.isPending && <SkeletonList rows={1} columns={[1]} />}
          {effective.data !== undefined && (
            <Switch
              label={t('notify')}
              hint={isDecided ? t('notify-decided') : t('notify-hint')}
              checked={effective.data.notifyUserOnSessionStart}
              disabled={isDecided}
              busy={notify.isPending}
              onCheckedChange={(isTold) => notify.mutate(isTold)}
            />
          )}
          <StoredForm
            name={t('viewer-name')}
            of={VIEWER_NAME}
            labelOf={() => t('viewer-name')}
            action={t('save')}
            look="plain"
            onSaved={() => void toast(t('saved'))}
          >
            {({ value }) => (
              <TextField<NameField>
                name="value"
                label={t('viewer-name')}
                hint={t('viewer-name-hint')}
                defaultValue={value}
                maxLength={50}
                autoComplete="off"
              />
            )}
          </StoredForm>
        </div>
      </Narrow>
    </Section>
  );
}
