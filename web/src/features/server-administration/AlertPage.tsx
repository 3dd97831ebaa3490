import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide';
import { type ReactNode, useEffect, useState } from 'react';

import type { Versioned } from '../../state/versioned.js';
import { Banner, type BannerLook } from '../../ui/banner/Banner.js';
import { IconButton } from '../../ui/button/Button.js';
import { Checkbox } from '../../ui/checkbox/Checkbox.js';
import { classes } from '../../ui/classes.js';
import { EditForm } from '../../ui/edit/EditForm.js';
import { undo } from '../../ui/edit/undo.js';
import { TextArea } from '../../ui/field/Field.js';
import type { FormValues } from '../../ui/form/Form.js';
import frame from '../../ui/frames/Panel.module.css';
import { Page } from '../../ui/page/Page.js';
import { RadioGroup } from '../../ui/radio-group/RadioGroup.js';
import { SkeletonList } from '../../ui/skeleton/Skeleton.js';
import { ErrorState } from '../../ui/states/ErrorState.js';
import { toast } from '../../ui/toast/toasts.js';
import { type ServerAlert, serverAlertQuery, type Severity } from '../../api/system/server.js';
import { ALERT, type AlertField, alertForm, alertIn, alertLabel, alertText, allOfAlert } from './alert.js';
import css from './ServerAdministration.module.css';
import { t } from './texts.js';

const SEVERITIES: readonly { readonly severity: Severity; readonly look: BannerLook }[] = [
  { severity: 'Information', look: 'info' },
  { severity: 'Success', look: 'ok' },
  { severity: 'Warning', look: 'warn' },
  { severity: 'Error', look: 'bad' },
];

/** Page for the alert of the server's administrators to all users. */
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
        <AlertEditor stored={alertForm(alert.data)} />
      )}
    </Page>
  );
}

function AlertEditor({ stored }: { readonly stored: Versioned<FormValues<AlertField>> }): ReactNode {
  const [draft, setDraft] = useState(alertIn(stored.value));
  // An undo fills the form with the state that is stored then.
  const [undone, setUndone] = useState({ count: 0, start: stored });
  return (
    <div className={css.columns}>
      <section className={frame.panel} aria-labelledby="alert-editor">
        <h2 id="alert-editor">{t('alert-editor')}</h2>
        <EditForm
          key={undone.count}
          name={t('alert-one')}
          of={ALERT}
          start={undone.start}
          labelOf={alertLabel}
          textOf={alertText}
          typedOf={allOfAlert}
          action={t('save')}
          onSaved={({ before, now }) =>
            toast(alertIn(now.value).isEnabled ? t('alert-shown') : t('alert-hidden'), {
              undo: () => void undo(async () => setUndone({ count: undone.count + 1, start: await ALERT.save(before, now.tag) })),
            })
          }
        >
          {(values) => <AlertFields start={alertIn(values)} onDraft={setDraft} />}
        </EditForm>
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

interface AlertFieldsProps {
  readonly start: ServerAlert;
  /** Gets the values of the fields, for a preview. */
  readonly onDraft: (draft: ServerAlert) => void;
}

function AlertFields({ start, onDraft }: AlertFieldsProps): ReactNode {
  const [draft, setDraft] = useState(start);
  const change = (part: Partial<ServerAlert>): void => setDraft({ ...draft, ...part });
  useEffect(() => onDraft(draft), [draft, onDraft]);
  return (
    <>
      <TextArea<AlertField>
        name="message"
        label={t('message')}
        value={draft.message}
        onChange={(event) => change({ message: event.currentTarget.value })}
        maxLength={500}
        rows={4}
        required={draft.isEnabled}
      />
      <RadioGroup<Severity, AlertField>
        name="severity"
        label={t('severity')}
        value={draft.severity}
        onValueChange={(severity) => change({ severity })}
        options={SEVERITIES.map(({ severity }) => ({ value: severity, label: t(`severity-${severity}`) }))}
      />
      <Checkbox<AlertField>
        name="isDismissable"
        label={t('dismissable')}
        hint={t('dismissable-hint')}
        checked={draft.isDismissable}
        onChange={(event) => change({ isDismissable: event.currentTarget.checked })}
      />
      <Checkbox<AlertField>
        name="isSticky"
        label={t('sticky')}
        hint={t('sticky-hint')}
        checked={draft.isSticky}
        onChange={(event) => change({ isSticky: event.currentTarget.checked })}
      />
      <Checkbox<AlertField>
        name="isEnabled"
        label={t('enabled')}
        hint={t('enabled-hint')}
        checked={draft.isEnabled}
        onChange={(event) => change({ isEnabled: event.currentTarget.checked })}
      />
    </>
  );
}
