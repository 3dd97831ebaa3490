import { useMutation, useQuery } from '@tanstack/react-query';
import { Mail, X } from 'lucide';
import { type ReactNode, useState } from 'react';

import { api } from '../../api/client.js';
import { changed } from '../../api/queries.js';
import { useSession } from '../../access/session.js';
import { Banner, type BannerLook } from '../../ui/banner/Banner.js';
import { Button, IconButton } from '../../ui/button/Button.js';
import { Checkbox } from '../../ui/checkbox/Checkbox.js';
import { classes } from '../../ui/classes.js';
import { TextArea } from '../../ui/field/Field.js';
import { Form } from '../../ui/form/Form.js';
import { FormActions } from '../../ui/form/FormActions.js';
import frame from '../../ui/frames/Panel.module.css';
import { Page } from '../../ui/page/Page.js';
import { RadioGroup } from '../../ui/radio-group/RadioGroup.js';
import { SkeletonList } from '../../ui/skeleton/Skeleton.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { toast, toastProblem } from '../../ui/toast/toasts.js';
import { type ServerAlert, serverAlertQuery, type Severity } from '../../api/server.js';
import css from './ServerAdministration.module.css';
import { t } from './texts.js';

const SEVERITIES: readonly { readonly severity: Severity; readonly look: BannerLook }[] = [
  { severity: 'Information', look: 'info' },
  { severity: 'Success', look: 'ok' },
  { severity: 'Warning', look: 'warn' },
  { severity: 'Error', look: 'bad' },
];

/** What the administrators of the server have to say to everybody, and whether the server can send mail. */
export function AlertPage(): ReactNode {
  const alert = useQuery(serverAlertQuery);
  return (
    <Page title={t('alert')}>
      <p className="muted">{t('alert-intro')}</p>
      {alert.data === undefined ? (
        alert.error === null ? (
          <SkeletonList rows={4} columns={[2]} />
        ) : (
          <ErrorState error={alert.error} onRetry={() => void alert.refetch()} />
        )
      ) : (
        <AlertEditor stored={{ ...alert.data, message: alert.data.message ?? '' }} />
      )}
      <TestMail />
    </Page>
  );
}

async function saveAlert({ message, severity, isDismissable, isSticky, isEnabled }: ServerAlert): Promise<void> {
  await api.POST('/api/v1/server-alert', { body: { message, severity, isDismissable, isSticky, isEnabled } });
  await changed('server-alert', 'session');
}

function AlertEditor({ stored }: { readonly stored: ServerAlert }): ReactNode {
  const [draft, setDraft] = useState(stored);
  const change = (part: Partial<ServerAlert>): void => setDraft({ ...draft, ...part });
  const save = useMutation({
    mutationFn: saveAlert,
    onSuccess: (_, { isEnabled }) => {
      const undo = (): void => {
        setDraft(stored);
        void saveAlert(stored).catch(toastProblem);
      };
      toast(isEnabled ? t('alert-shown') : t('alert-hidden'), { undo });
    },
  });
  return (
    <div className={css.columns}>
      <section className={frame.panel} aria-labelledby="alert-editor">
        <h2 id="alert-editor">{t('alert-editor')}</h2>
        <Form error={save.error} onSubmit={() => save.mutate(draft)}>
          <TextArea
            name="message"
            label={t('message')}
            value={draft.message}
            onChange={(event) => change({ message: event.currentTarget.value })}
            maxLength={500}
            rows={4}
            required={draft.isEnabled}
          />
          <RadioGroup
            name="severity"
            label={t('severity')}
            value={draft.severity}
            onValueChange={(severity) => change({ severity })}
            options={SEVERITIES.map(({ severity }) => ({ value: severity, label: t(`severity-${severity}`) }))}
          />
          <Checkbox
            name="isDismissable"
            label={t('dismissable')}
            hint={t('dismissable-hint')}
            checked={draft.isDismissable}
            onChange={(event) => change({ isDismissable: event.currentTarget.checked })}
          />
          <Checkbox
            name="isSticky"
            label={t('sticky')}
            hint={t('sticky-hint')}
            checked={draft.isSticky}
            onChange={(event) => change({ isSticky: event.currentTarget.checked })}
          />
          <Checkbox
            name="isEnabled"
            label={t('enabled')}
            hint={t('enabled-hint')}
            checked={draft.isEnabled}
            onChange={(event) => change({ isEnabled: event.currentTarget.checked })}
          />
          <FormActions>
            <Button type="submit" look="primary" busy={save.isPending}>
              {t('save')}
            </Button>
          </FormActions>
        </Form>
      </section>
      <section className={frame.panel} aria-labelledby="alert-preview">
        <h2 id="alert-preview">{t('preview')}</h2>
        {/* Screen readers have the text itself; its four looks would be read with every key. */}
        <div className={css.previews} inert>
          {SEVERITIES.map(({ severity, look }) => (
            <div key={severity} className={classes(css.preview, severity === draft.severity && css.chosen)}>
              <Banner look={look} actions={draft.isDismissable ? <IconButton icon={X} label={t('dismiss')} /> : undefined}>
                {draft.message === '' ? t('preview-text') : draft.message}
              </Banner>
            </div>
          ))}
        </div>
      </section>
    </div>
  );
}

/** Sends a mail to the caller, to check the configuration of the mail server. */
function TestMail(): ReactNode {
  const { user } = useSession();
  const send = useMutation({
    mutationFn: () => api.POST('/api/v1/test-email'),
    onSuccess: () => toast(t('mail-sent', { address: user.email ?? '' })),
    onError: (error) => toastProblem(error),
  });
  return (
    <div className={css.columns}>
      <section className={frame.panel} aria-labelledby="test-mail">
        <h2 id="test-mail">{t('mail')}</h2>
        <p className="muted">{t('mail-text', { address: user.email ?? '' })}</p>
        <div>
          <Button icon={Mail} busy={send.isPending} onClick={() => send.mutate()}>
            {t('mail-send')}
          </Button>
        </div>
      </section>
    </div>
  );
}
