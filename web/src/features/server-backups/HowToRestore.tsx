import type { ReactNode } from 'react';

import type { BackupFile } from '../../api/system/server-backups.js';
import { CopyField } from '../../ui/copy/CopyField.js';
import frame from '../../ui/frames/Panel.module.css';
import css from './ServerBackups.module.css';
import { commandOf } from './states.js';
import { t } from './texts.js';

/** The steps of a restore, with the commands for the newest backup. */
export function HowToRestore({ files: [newest] }: { readonly files: readonly BackupFile[] }): ReactNode {
  if (newest === undefined) return null;
  return (
    <section className={frame.panel} aria-labelledby="restore">
      <h2 id="restore">{t('restore')}</h2>
      <p className="muted">{t('restore-text')}</p>
      <ol className={css.steps}>
        <li>
          <CopyField label={t('restore-verify')} value={commandOf(newest, 'verify')} />
        </li>
        <li>{t('restore-stop')}</li>
        <li>
          <CopyField label={t('restore-run')} value={commandOf(newest, 'restore')} hint={t('restore-run-text')} />
        </li>
        <li>{t('restore-start')}</li>
      </ol>
    </section>
  );
}
