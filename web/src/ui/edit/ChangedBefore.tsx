import { type ReactNode, useEffect, useRef } from 'react';

import { Banner } from '../banner/Banner.js';
import { classes } from '../classes.js';
import type { FormValues } from '../form/Form.js';
import css from './Changed.module.css';
import { ChangedTable } from './ChangedTable.js';
import { compare } from './compare.js';
import { t } from './texts.js';

interface ChangedBeforeProps<Name extends string> {
  /** Name of the thing. */
  readonly name: string;
  readonly before: FormValues<Name>;
  readonly now: FormValues<Name>;
  readonly labelOf: (field: NoInfer<Name>) => string;
}

/** Shows another editor's changes since a question was asked. */
export function ChangedBefore<Name extends string>({ name, before, now, labelOf }: ChangedBeforeProps<Name>): ReactNode {
  const notice = useRef<HTMLDivElement>(null);
  // Nothing else says aloud why the act was not carried out.
  useEffect(() => notice.current?.focus(), [now]);
  return (
    <div ref={notice} className={classes(css.notice, css.above)} tabIndex={-1} role="group" aria-label={t('changed', { name })}>
      <Banner look="warn">
        <strong>{t('changed', { name })}.</strong> {t('changed-before')}
      </Banner>
      <ChangedTable
        heads={[t('before'), t('now')]}
        rows={compare(before, before, now).differences.map(({ field, theirs }) => ({
          field: labelOf(field),
          first: before[field] ?? '',
          second: theirs,
        }))}
      />
    </div>
  );
}
