import { useMutation } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide';
import type { ReactNode } from 'react';

import { useCan } from '../../access/can.js';
import { type BackupFile, type ServerBackups, verifyBackup } from '../../api/system/server-backups.js';
import { formatBytes, formatInstant } from '../../i18n/format.js';
import { Badge } from '../../ui/badge/Badge.js';
import { Button } from '../../ui/button/Button.js';
import { CopyButton } from '../../ui/copy/CopyButton.js';
import { type Column, DataTable } from '../../ui/data-table/DataTable.js';
import { EmptyState } from '../../ui/states/EmptyState.js';
import { toastProblem } from '../../ui/toast/toasts.js';
import css from './ServerBackups.module.css';
import { t } from './texts.js';

const CHECKS = { NotVerified: 'neutral', Whole: 'ok', Damaged: 'bad', Encrypted: 'neutral' } as const;

/** The files that the server has made, with their verification. */
export function BackupFiles({ backups: { node, nextAt, files, running } }: { readonly backups: ServerBackups }): ReactNode {
  const isAllowed = useCan('server.settings.write');
  const verify = useMutation({
    mutationFn: (name: string) => verifyBackup(name, node ?? undefined),
    onError: (error) => toastProblem(error),
  });
  const columns: readonly Column<BackupFile>[] = [
    { id: 'time', header: t('time'), cell: ({ startedAt }) => formatInstant(startedAt), sortBy: ({ startedAt }) => startedAt },
    { id: 'kind', header: t('kind'), cell: ({ kind }) => t(`kind-${kind}`) },
    { id: 'size', header: t('size'), align: 'end', cell: ({ size }) => formatBytes(size), sortBy: ({ size }) => size },
    { id: 'check', header: t('check'), cell: (file) => <Check of={file} isRunning={running?.file === file.name} /> },
    {
      id: 'file',
      header: t('file'),
      phone: 'hidden',
      cell: ({ name, path }) => (
        <span className="row">
          <span className="mono">{name}</span>
          <CopyButton text={path} label={t('copy-path', { name })} />
        </span>
      ),
    },
    ...(isAllowed
      ? [
          {
            id: 'verify',
            header: t('verify'),
            hideHeader: true,
            align: 'end' as const,
            phone: 'side' as const,
            cell: ({ name, isEncrypted }: BackupFile) =>
              isEncrypted ? null : (
                <Button
                  icon={ShieldCheck}
                  aria-label={t('verify-name', { name })}
                  disabled={running !== null || verify.isPending}
                  onClick={() => verify.mutate(name)}
                >
                  {t('verify')}
                </Button>
              ),
          },
        ]
      : []),
  ];
  return (
    <section aria-labelledby="files" className={css.part}>
      <h2 id="files">{t('files')}</h2>
      <DataTable
        label={t('files')}
        rows={files}
        rowKey={({ name }) => name}
        columns={columns}
        rowName={({ name }) => name}
        empty={<EmptyState title={t('files-none')}>{t(nextAt === null ? 'files-none-off' : 'files-none-text')}</EmptyState>}
      />
    </section>
  );
}

function Check({ of: { check, verifiedAt, fault }, isRunning }: { readonly of: BackupFile; readonly isRunning: boolean }): ReactNode {
  if (isRunning) return <span className="muted">{t('verifying')}</span>;
  return (
    <span title={verifiedAt === null ? undefined : formatInstant(verifiedAt)}>
      <Badge look={CHECKS[check]}>{t(`check-${check}`)}</Badge>
      {fault !== null && <span className={css.fault}>{fault}</span>}
    </span>
  );
}
