import { type ReactNode, useEffect, useRef } from 'react';

import { Banner } from '../banner/Banner.js';
import { Button } from '../button/Button.js';
import { FormActions } from '../form/FormActions.js';
import { t as kit } from '../later-texts.js';
import css from './Changed.module.css';
import { ChangedTable } from './ChangedTable.js';
import type { Changed } from './save-over.js';
import { t } from './texts.js';

interface ChangedNoticeProps {
  /** Name of the thing. */
  readonly name: string;
  readonly changed: Changed<string>;
  readonly labelOf: (field: string) => string;
  /** Display text for the value of a field, where people know it by another text. */
  readonly textOf?: (field: string, value: string) => string;
  readonly busy: boolean;
  readonly onCancel?: () => void;
  /** Shows the stored values, in place of the typed ones. */
  readonly onLoad: () => void;
  readonly onSave: () => void;
}

/** Another editor was faster: the texts of both, and the ways out. */
export function ChangedNotice({
  name,
  changed,
  labelOf,
  textOf = (_, value) => value,
  busy,
  onCancel,
  onLoad,
  onSave,
}: ChangedNoticeProps): ReactNode {
  const notice = useRef<HTMLDivElement>(null);
  const { differences } = changed;
  // The button that was pressed is gone. Screen readers read its replacement.
  useEffect(() => notice.current?.focus(), [changed]);
  return (
    <div ref={notice} className={css.notice} tabIndex={-1} role="group" aria-label={t('changed', { name })}>
      <Banner look="warn">
        <strong>{t('changed', { name })}.</strong> {t('changed-text')}
      </Banner>
      <ChangedTable
        heads={[t('yours'), t('theirs')]}
        rows={differences.map(({ field, yours, theirs }) => ({
          field: labelOf(field),
          first: yours === null ? <span className="faint">{t('left-alone')}</span> : textOf(field, yours),
          second: textOf(field, theirs),
        }))}
      />
      {differences.some(({ yours }) => yours === null) && <p className="muted">{t('left-alone-text')}</p>}
      <FormActions>
        {onCancel !== undefined && <Button onClick={onCancel}>{kit('cancel')}</Button>}
        <Button onClick={onLoad}>{t('load-theirs')}</Button>
        <Button look="primary" busy={busy} onClick={onSave}>
          {t('save-yours')}
        </Button>
      </FormActions>
    </div>
  );
}
