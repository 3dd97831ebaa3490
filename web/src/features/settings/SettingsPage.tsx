import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { useCan } from '../../access/can.js';
import { useSession } from '../../access/session.js';
import { Banner } from '../../ui/banner/Banner.js';
import { Button } from '../../ui/button/Button.js';
import { classes } from '../../ui/classes.js';
import { TextField } from '../../ui/field/Field.js';
import { Form } from '../../ui/form/Form.js';
import { FormActions } from '../../ui/form/FormActions.js';
import frame from '../../ui/frames/Panel.module.css';
import { Page } from '../../ui/page/Page.js';
import { ProblemText } from '../../ui/states/ProblemText.js';
import { RadioGroup } from '../../ui/radio-group/RadioGroup.js';
import { SkeletonList } from '../../ui/skeleton/Skeleton.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { Switch } from '../../ui/switch/Switch.js';
import { toast, toastProblem } from '../../ui/toast/toasts.js';
import { saveSettings, type TenantSettings, tenantSettingsQuery } from '../../api/tenant-settings.js';
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
          {!mayWrite && <Banner>{t('read-only')}</Banner>}
          <Settings settings={settings.data} mayWrite={mayWrite} />
        </>
      )}
    </Page>
  );
}

interface SettingsProps {
  readonly settings: TenantSettings;
  readonly mayWrite: boolean;
}

interface Change {
  readonly before: TenantSettings;
  readonly after: TenantSettings;
}

function Settings({ settings, mayWrite }: SettingsProps): ReactNode {
  const save = useMutation({
    mutationFn: ({ after }: Change) => saveSettings(after),
    onSuccess: (_, { before }) => {
      toast(t('saved'), { undo: () => void saveSettings(before).catch(toastProblem) });
    },
  });
  const { notifyUserOnSessionStart, requireApprovalForNewDeviceKeys, appendInstanceId, instanceId } = settings;
  const pending = save.isPending ? save.variables.after : {};
  const shown = { notifyUserOnSessionStart, requireApprovalForNewDeviceKeys, appendInstanceId, ...pending };
  const saveInstanceId = (text: string): void => {
    const after = text.trim() === '' ? null : text.trim();
    if (after !== (instanceId ?? null)) save.mutate({ before: { instanceId: instanceId ?? null }, after: { instanceId: after } });
  };
  const isOfInstanceId = 'instanceId' in (save.variables?.after ?? {});
  return (
    <>
      {save.error !== null && !isOfInstanceId && (
        <Banner look="bad">
          <ProblemText error={save.error} />
        </Banner>
      )}
      <section className={classes(frame.panel, css.panel)} aria-labelledby="settings-sessions">
        <h2 id="settings-sessions">{t('sessions')}</h2>
        <RadioGroup
          name="notifyUserOnSessionStart"
          label={t('notify')}
          disabled={!mayWrite}
          value={choiceOf(shown.notifyUserOnSessionStart)}
          onValueChange={(choice) =>
            save.mutate({
              before: { notifyUserOnSessionStart: notifyUserOnSessionStart ?? null },
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
            save.mutate({
              before: { requireApprovalForNewDeviceKeys: requireApprovalForNewDeviceKeys ?? null },
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
            save.mutate({ before: { appendInstanceId: appendInstanceId ?? null }, after: { appendInstanceId: isAppended } })
          }
        />
        <Form error={isOfInstanceId ? save.error : null} onSubmit={(values) => saveInstanceId(values.instanceId ?? '')}>
          <TextField
            // An undo brings the former text back.
            key={instanceId ?? ''}
            name="instanceId"
            label={t('instance')}
            hint={t('instance-hint')}
            defaultValue={instanceId ?? ''}
            maxLength={100}
            disabled={!mayWrite}
            autoComplete="off"
            spellCheck={false}
          />
          {mayWrite && (
            <FormActions>
              <Button type="submit" busy={save.isPending && isOfInstanceId}>
                {t('save')}
              </Button>
            </FormActions>
          )}
        </Form>
      </section>
    </>
  );
}

const CHOICES = { account: null, always: true, never: false } as const;

function choiceOf(notify: boolean | null | undefined): keyof typeof CHOICES {
  if (notify === true) return 'always';
  return notify === false ? 'never' : 'account';
}
