import { type ReactNode, useEffect, useRef, useState } from 'react';

import { problemOf } from '../../problem/problem.js';
import { formatNumber } from '../../i18n/format.js';
import { Banner } from '../banner/Banner.js';
import { Button } from '../button/Button.js';
import { Dialog } from '../dialog/Dialog.js';
import { FormActions } from '../form/FormActions.js';
import { describeProblem } from '../problem-text.js';
import { t } from '../later-texts.js';
import { t as first } from '../texts.js';
import { saveFile } from '../save-file.js';
import { toast } from '../toast/toasts.js';
import { type CsvSource, writeCsv } from './csv.js';
import css from './CsvExport.module.css';

interface CsvExportProps<Row> {
  readonly title: string;
  /** Name of the file, without the day and the ending. */
  readonly fileName: string;
  /** Must stay the same object while the dialog is there. */
  readonly source: CsvSource<Row>;
  /** The file is written, or given up. */
  readonly onClose: () => void;
}

/** Writes a file while it is shown, and hands it to the browser as a download. */
export function CsvExport<Row>({ title, fileName, source, onClose }: CsvExportProps<Row>): ReactNode {
  const [progress, setProgress] = useState<{ readonly done: number; readonly total: number | null }>({ done: 0, total: 0 });
  const [file, setFile] = useState<Blob | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(1);
  const cancel = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const given = new AbortController();
    writeCsv(source, given.signal, (done, total) => setProgress({ done, total })).then(setFile, (failure: unknown) => {
      if (!given.signal.aborted) setError(failure);
    });
    return () => given.abort();
  }, [source, attempt]);
  useEffect(() => {
    if (file === null) return;
    const today = new Date().toISOString().slice(0, 10);
    saveFile(file, `${fileName}-${today}.csv`);
    setFile(null);
    toast(t('exported', { count: progress.done }));
    onClose();
  }, [file, fileName, progress.done, onClose]);
  return (
    <Dialog open onClose={onClose} title={title} keepOnOutsideClick>
      {error === null ? (
        <div className="stack">
          <progress
            className={css.progress}
            max={Math.max(progress.total ?? 1, 1)}
            value={progress.total === null ? undefined : progress.done}
            aria-label={title}
          />
          <span className="muted figures">
            {progress.total === null
              ? t('export-so-far', { count: progress.done, done: formatNumber(progress.done) })
              : t('export-progress', { done: formatNumber(progress.done), total: formatNumber(progress.total) })}
          </span>
        </div>
      ) : (
        <Banner look="bad">{describeProblem(problemOf(error))}</Banner>
      )}
      <FormActions>
        <Button ref={cancel} onClick={onClose} data-initial-focus>
          {t('cancel')}
        </Button>
        {error !== null && (
          <Button
            look="primary"
            onClick={() => {
              // This button is about to go, and the focus may not leave the dialog with it.
              cancel.current?.focus();
              setError(null);
              setAttempt(attempt + 1);
            }}
          >
            {first('retry')}
          </Button>
        )}
      </FormActions>
    </Dialog>
  );
}
