import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';

import { type LogRetention as Retention, logRetentionQuery } from '../../../api/tenants/log-retention.js';
import type { Versioned } from '../../../state/versioned.js';
import { classes } from '../../../ui/classes.js';
import { Confirm } from '../../../ui/confirm/Confirm.js';
import { EditForm } from '../../../ui/edit/EditForm.js';
import { TextField } from '../../../ui/field/Field.js';
import frame from '../../../ui/frames/Panel.module.css';
import { SkeletonList } from '../../../ui/skeleton/Skeleton.js';
import { ErrorState } from '../../../ui/states/ErrorState.js';
import { toast } from '../../../ui/toast/toasts.js';
import panel from '../SettingsPage.module.css';
import { t } from '../texts.js';
import css from './LogRetention.module.css';
import {
  type DayLimits,
  limitsOf,
  RETENTION_FIELDS,
  type RetentionField,
  retentionIn,
  type Shortened,
  shortenedBy,
  typedIn,
} from './retention-form.js';
import { LOG_RETENTION } from './stored-retention.js';

/** The time for which the tenant keeps its logs. */
export function LogRetention({ mayWrite }: { readonly mayWrite: boolean }): ReactNode {
  const retention = useQuery(logRetentionQuery);
  return (
    <section className={classes(frame.panel, panel.panel)} aria-labelledby="settings-retention">
      <h2 id="settings-retention">{t('retention')}</h2>
      <p className="muted">{t('retention-intro')}</p>
      {retention.data !== undefined ? (
        <Days version={retention.data} mayWrite={mayWrite} />
      ) : retention.error === null ? (
        <SkeletonList rows={2} columns={[2]} />
      ) : (
        <ErrorState error={retention.error} onRetry={() => void retention.refetch()} />
      )}
    </section>
  );
}

/** A save that waits for the user. */
interface Question {
  readonly shortened: readonly Shortened[];
  readonly send: () => void;
}

function Days({ version, mayWrite }: { readonly version: Versioned<Retention>; readonly mayWrite: boolean }): ReactNode {
  const [question, setQuestion] = useState<Question | null>(null);
  const [isAsking, setAsking] = useState(false);
  const fields = (values: Partial<Record<RetentionField, string>>): ReactNode => (
    <div className={css.fields}>
      {RETENTION_FIELDS.map((field) => (
        <DaysField key={field} field={field} limits={limitsOf(version.value, field)} days={values[field]} mayWrite={mayWrite} />
      ))}
    </div>
  );
  const start = retentionIn(version);
  if (!mayWrite) return fields(start.value);
  return (
    <>
      <EditForm<RetentionField>
        name={t('retention')}
        of={LOG_RETENTION}
        start={start}
        labelOf={(field) => labelOf(field as RetentionField)}
        textOf={(_, days) => (days === '' ? t('retention-server') : t('retention-days', { count: Number(days) }))}
        typedOf={typedIn}
        action={t('retention-save')}
        look="plain"
        confirm={({ before, typed }, send) => {
          const shortened = shortenedBy(version.value, before, typed);
          if (shortened.length === 0) return send();
          setQuestion({ shortened, send });
          setAsking(true);
        }}
        onSaved={() => toast(t('retention-saved'))}
      >
        {fields}
      </EditForm>
      <Confirm
        open={isAsking}
        onClose={() => setAsking(false)}
        title={t('retention-title')}
        action={t('retention-delete')}
        look="danger"
        onConfirm={() => {
          setAsking(false);
          question?.send();
        }}
      >
        <ul className={css.lost}>
          {question?.shortened.map(({ field, days }) => (
            <li key={field}>{t('retention-lost', { log: labelOf(field), count: days })}</li>
          ))}
        </ul>
        <p>{t('retention-final')}</p>
      </Confirm>
    </>
  );
}

interface DaysFieldProps {
  readonly field: RetentionField;
  readonly limits: DayLimits;
  readonly days: string | undefined;
  readonly mayWrite: boolean;
}

function DaysField({ field, limits, days, mayWrite }: DaysFieldProps): ReactNode {
  const { fewest, most, isFixed } = limits;
  return (
    <TextField<RetentionField>
      name={field}
      label={t('retention-label', { log: labelOf(field) })}
      hint={hintOf(limits)}
      type="number"
      inputMode="numeric"
      min={fewest}
      max={most ?? MOST_DAYS}
      step={1}
      defaultValue={days}
      placeholder={most === null ? t('retention-forever') : String(most)}
      disabled={!mayWrite || isFixed}
      autoComplete="off"
    />
  );
}

/** The most days that the service takes where it keeps a log forever. */
const MOST_DAYS = 36_500;

function hintOf({ fewest, most, isFixed }: DayLimits): string {
  if (most === null) return t('retention-hint-forever', { count: fewest });
  return isFixed ? t('retention-hint-fixed', { count: most }) : t('retention-hint', { fewest, count: most });
}

const labelOf = (field: RetentionField): string => t(`retention-${field}`);
