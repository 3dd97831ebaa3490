import { RotateCw, X } from 'lucide';
import type { ReactNode } from 'react';

import { formatBytes, formatPercent } from '../../../../i18n/format.js';
import { useSessions } from '../../../../live/sessions/sessions.js';
import { paceOf } from '../../../../live/sessions/uploads/upload-queue.js';
import { t } from '../../../../live/sessions/uploads/texts.js';
import { type Upload, uploadsTo } from '../../../../live/sessions/uploads/uploads.js';
import { Button, IconButton } from '../../../../ui/button/Button.js';
import { describeProblem } from '../../../../ui/problem-text.js';
import css from './UploadList.module.css';

/** The files on their way to the device, each with a way to stop it or to try again. */
export function UploadList({ deviceId }: { readonly deviceId: string }): ReactNode {
  useSessions();
  const uploads = uploadsTo(deviceId);
  if (uploads === undefined) return null;
  return (
    <section className={css.uploads} aria-label={t('title')}>
      <div className={css.head}>
        <h2>{t('title')}</h2>
        <Button look="quiet" onClick={() => uploads.clear()}>
          {t('clear')}
        </Button>
      </div>
      <ul className={css.list}>
        {uploads.uploads.map((upload) => (
          <li key={upload.id} className={css.upload}>
            <span className="cut" title={upload.name}>
              {upload.name}
            </span>
            <span className={css.state} data-status={upload.status}>
              {stateText(upload)}
            </span>
            {upload.status === 'running' && (
              <progress className={css.progress} aria-label={upload.name} max={Math.max(1, upload.size)} value={upload.sent} />
            )}
            <span className={css.act}>
              {(upload.status === 'running' || upload.status === 'queued') && (
                <IconButton icon={X} label={t('cancel', { name: upload.name })} onClick={() => uploads.cancel(upload)} />
              )}
              {(upload.status === 'failed' || upload.status === 'canceled') && (
                <IconButton icon={RotateCw} label={t('retry', { name: upload.name })} onClick={() => uploads.retry(upload)} />
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function stateText({ status, problem, sent, size, startedAt }: Upload): string {
  if (status === 'failed' && problem !== undefined) return describeProblem(problem);
  if (status !== 'running') return t(`status-${status}`);
  const pace = paceOf(sent, size, Date.now() - startedAt);
  const share = formatPercent(size === 0 ? 1 : sent / size);
  if (pace === null) return share;
  return `${share} · ${t('pace', { rate: formatBytes(pace.rate), left: t('seconds', { count: pace.seconds }) })}`;
}
