import { useMutation, useMutationState, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { useCan } from '../../access/can.js';
import { useSession } from '../../access/session.js';
import { permissionName } from '../../i18n/permission-names.js';
import { isOutdated } from '../../problem/problem.js';
import type { Versioned } from '../../state/versioned.js';
import { Banner } from '../../ui/banner/Banner.js';
import { classes } from '../../ui/classes.js';
import { EditForm } from '../../ui/edit/EditForm.js';
import { undo } from '../../ui/edit/undo.js';
import { TextField } from '../../ui/field/Field.js';
import frame from '../../ui/frames/Panel.module.css';
import { Page } from '../../ui/page/Page.js';
import { ProblemText } from '../../ui/states/ProblemText.js';
import { RadioGroup } from '../../ui/radio-group/RadioGroup.js';
import { SkeletonList } from '../../ui/skeleton/Skeleton.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { Switch } from '../../ui/switch/Switch.js';
import { toast } from '../../ui/toast/toasts.js';
import { saveSetting, type SettingChange, type TenantSettings, tenantSettingsQuery } from '../../api/tenants/tenant-settings.js';
import { TenantName } from './TenantName.js';
import { LogRetention } from './log-retention/LogRetention.js';
import { DeviceFields } from './device-fields/DeviceFields.js';
import { INSTANCE_ID, instanceIdIn, instanceIdOf, type SettingField } from './instance-id.js';
import css from './SettingsPage.module.css';
import { t } from './texts.js';

/** The settings of the tenant. Each saves itself, and can be taken back at once. */
export function SettingsPage(): ReactNode {
  const { tenant } = useSession();
  const settings = useQuery(tenantSettingsQuery);
  const mayWrite = useCan('tenant.settings.write');
  return (
    <Page title={t('title')} within={[tenant.name]}>
      <p className="muted">{t('intro', { tenant: tenant.name ?? t('this-tenant') })}</p>
      {settings.data === undefined ? (
        settings.error === null ? (
          <SkeletonList rows={4} columns={[2]} />
        ) : (
          <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />
        )
      ) : (
        <>
          {!mayWrite && <Banner>{t('read-only', { permission: permissionName('tenant.settings.write') })}</Banner>}
          <TenantName mayWrite={mayWrite} />
          <Settings version={settings.data} mayWrite={mayWrite} />
          <DeviceFields mayWrite={mayWrite} />
          <LogRetention mayWrite={mayWrite} />
        </>
      )}
    </Page>
  );
}

/** Key of the changes of settings, several of which may be under way. */
const SAVE = ['save-setting'];

interface SettingsProps {
  readonly version: Versioned<TenantSettings>;
  readonly mayWrite: boolean;
}

function Settings({ version, mayWrite }: SettingsProps): ReactNode {
  const settings = version.value;
  // That of any change since the last one began: another one may be stored after it.
  const [failure, setFailure] = useState<Error | null>(null);
  const { mutate } = useMutation({
    mutationKey: SAVE,
    mutationFn: saveSetting,
    // One after the other: the second is over the state that the first has stored.
    scope: { id: 'tenant-settings' },
    onSuccess: (_, { before, after }) => {
      toast(t('saved'), { undo: () => void undo(() => saveSetting({ before: after, after: before })) });
    },
    onError: setFailure,
  });
  const pending = useMutationState({
    filters: { mutationKey: SAVE, status: 'pending' },
    select: ({ state }) => (state.variables as SettingChange).after,
  });
  const save = (change: SettingChange): void => {
    setFailure(null);
    mutate(change);
  };
  const { notifyUserOnSessionStart, requireApprovalForNewDeviceKeys, appendInstanceId } = settings;
  const shown: TenantSettings = Object.assign({ notifyUserOnSessionStart, requireApprovalForNewDeviceKeys, appendInstanceId }, ...pending);
  return (
    <>
      {isOutdated(failure) ? (
        <Banner look="warn">{t('changed')}</Banner>
      ) : (
        failure !== null && (
          <Banner look="bad">
            <ProblemText error={failure} />
          </Banner>
        )
      )}
      <section className={classes(frame.panel, css.panel)} aria-labelledby="settings-sessions">
        <h2 id="settings-sessions">{t('sessions')}</h2>
        <RadioGroup
          label={t('notify')}
          disabled={!mayWrite}
          value={choiceOf(shown.notifyUserOnSessionStart)}
          onValueChange={(choice) =>
            save({
              before: { notifyUserOnSessionStart: shown.notifyUserOnSessionStart ?? null },
              after: { notifyUserOnSessionStart: CHOICES[choice] },
            })
          }
          options={[
            { value: 'account', label: t('notify-account'), hint: t('notify-account-hint') },
            { value: 'always', label: t('notify-always'), hint: t('notify-always-hint') },
            { value: 'never', label: t('notify-never'), hint: t('notify-never-hint') },
          ]}
        />
      </section>
      <section className={classes(frame.panel, css.panel)} aria-labelledby="settings-security">
        <h2 id="settings-security">{t('security')}</h2>
        <Switch
          label={t('approval')}
          hint={t('approval-hint')}
          disabled={!mayWrite}
          checked={shown.requireApprovalForNewDeviceKeys === true}
          onCheckedChange={(isRequired) =>
            save({
              before: { requireApprovalForNewDeviceKeys: shown.requireApprovalForNewDeviceKeys ?? null },
              after: { requireApprovalForNewDeviceKeys: isRequired },
            })
          }
        />
      </section>
      <section className={classes(frame.panel, css.panel)} aria-labelledby="settings-installation">
        <h2 id="settings-installation">{t('installation')}</h2>
        <Switch
          label={t('append')}
          hint={t('append-hint')}
          disabled={!mayWrite}
          checked={shown.appendInstanceId === true}
          onCheckedChange={(isAppended) =>
            save({ before: { appendInstanceId: shown.appendInstanceId ?? null }, after: { appendInstanceId: isAppended } })
          }
        />
        <InstanceName version={version} mayWrite={mayWrite} />
      </section>
    </>
  );
}

function InstanceName({ version, mayWrite }: SettingsProps): ReactNode {
  // An undo brings the former text back.
  const [undone, setUndone] = useState(0);
  const field = (instanceId: string | undefined): ReactNode => (
    <TextField<SettingField>
      name="instanceId"
      label={t('instance')}
      hint={t('instance-hint')}
      defaultValue={instanceId}
      maxLength={100}
      disabled={!mayWrite}
      autoComplete="off"
      spellCheck={false}
    />
  );
  const { instanceId = '' } = instanceIdIn(version).value;
  if (!mayWrite) return field(instanceId);
  return (
    <EditForm
      key={undone}
      name={t('instance')}
      of={INSTANCE_ID}
      start={instanceIdIn(version)}
      labelOf={() => t('instance')}
      action={t('save')}
      look="plain"
      onSaved={({ before, now }) => {
        const [former, saved] = [before, now.value].map(instanceIdOf);
        if (former === saved) return;
        toast(t('saved'), {
          undo: () =>
            void undo(async () => {
              await saveSetting({ before: { instanceId: saved }, after: { instanceId: former } });
              setUndone(undone + 1);
            }),
        });
      }}
    >
      {(values) => field(values.instanceId)}
    </EditForm>
  );
}

const CHOICES = { account: null, always: true, never: false } as const;

function choiceOf(notify: boolean | null | undefined): keyof typeof CHOICES {
  if (notify === true) return 'always';
  return notify === false ? 'never' : 'account';
}
