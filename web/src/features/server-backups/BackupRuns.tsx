import type { ReactNode } from 'react';

import type { BackupRun } from '../../api/system/server-backups.js';
import { formatInstant } from '../../i18n/format.js';
import { Status } from '../../ui/status/Status.js';
import css from './ServerBackups.module.css';
import { t } from './texts.js';

const LOOKS = { Running: 'offline', Complete: 'online', Failed: 'error', Interrupted: 'warning' } as const;

/** The last runs, with the reason of those that failed. */
export function BackupRuns({ runs }: { readonly runs: readonly BackupRun[] }): ReactNode {
  if (runs.length === 0) return null;
  return (
    <section aria-labelledby="runs" className={css.part}>
      <h2 id="runs">{t('runs')}</h2>
      <ul className={css.runs}>
        {runs.map(({ kind, startedAt, outcome, failure }) => (
          <li key={startedAt + kind}>
            <span className={css.run}>
              <time dateTime={startedAt}>{formatInstant(startedAt)}</time>
              <span>{t(`kind-${kind}`)}</span>
              <Status look={LOOKS[outcome]}>{t(`outcome-${outcome}`)}</Status>
            </span>
            {failure !== null && <span className={css.fault}>{failure}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
