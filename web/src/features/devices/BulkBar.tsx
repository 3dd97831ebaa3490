import { useQuery } from '@tanstack/react-query';
import { CircleArrowUp, Power, RefreshCw, RotateCw, Tag, Trash2, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';

import { changed } from '../../api/queries.js';
import { formatNumber } from '../../i18n/format.js';
import { Button, IconButton } from '../../ui/button/Button.js';
import { Confirm, ConfirmByName } from '../../ui/confirm/Confirm.js';
import { Dialog } from '../../ui/dialog/Dialog.js';
import { FormActions } from '../../ui/form/Form.js';
import { MenuButton } from '../../ui/menu/MenuButton.js';
import css from './BulkBar.module.css';
import { actOnAll, type BulkAct } from './bulk-acts.js';
import { type Outcome, tally } from './outcomes.js';
import { tagsQuery } from './queries.js';
import { t } from './texts.js';

interface BulkBarProps {
  readonly ids: readonly string[];
  readonly onClear: () => void;
}

/** Acts that interrupt people or lose something: they are asked about first. */
const CONFIRMED = ['restart', 'shutdown', 'delete'] as const;
type Confirmed = (typeof CONFIRMED)[number];

const isConfirmed = (act: BulkAct): act is Confirmed => CONFIRMED.some((each) => each === act);

/** Above so many devices their number has to be typed. */
const MANY = 25;

/** What can be done with the chosen devices, and what came of it for each. */
export function BulkBar({ ids, onClear }: BulkBarProps): ReactNode {
  const { data: tags } = useQuery(tagsQuery);
  const [asked, setAsked] = useState<Confirmed | null>(null);
  const [run, setRun] = useState<{ readonly act: BulkAct; readonly total: number } | null>(null);
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([]);

  const start = async (act: BulkAct, on: readonly string[]): Promise<void> => {
    setAsked(null);
    setRun({ act, total: on.length });
    setOutcomes([]);
    await actOnAll(on, act, (outcome) => setOutcomes((before) => [...before, outcome]));
    await changed('devices');
  };
  const choose = (act: BulkAct): void => {
    if (isConfirmed(act)) setAsked(act);
    else void start(act, ids);
  };
  const close = (): void => {
    setRun(null);
    onClear();
  };
  const failed = outcomes.filter(({ kind }) => kind === 'failed').map(({ id }) => id);
  const isOver = run !== null && outcomes.length >= run.total;
  return (
    <div className={css.bar} role="toolbar" aria-label={t('bulk')}>
      <IconButton icon={X} label={t('clear-selection')} onClick={onClear} />
      <b className={css.count}>{t('selected', { count: ids.length })}</b>
      <Button look="quiet" icon={RefreshCw} onClick={() => choose('refresh')}>
        {t('act-refresh')}
      </Button>
      <Button look="quiet" icon={RotateCw} onClick={() => choose('restart')}>
        {t('act-restart')}
      </Button>
      <Button look="quiet" icon={Power} onClick={() => choose('shutdown')}>
        {t('act-shutdown')}
      </Button>
      <Button look="quiet" icon={CircleArrowUp} onClick={() => choose('update')}>
        {t('act-update')}
      </Button>
      {tags !== undefined && tags.length > 0 && (
        <MenuButton
          label={t('act-tag')}
          icon={Tag}
          look="quiet"
          entries={tags.map(({ id, name }) => ({ label: name, onSelect: () => choose({ tagId: id }) }))}
        />
      )}
      <Button look="quiet" icon={Trash2} onClick={() => choose('delete')}>
        {t('act-delete')}
      </Button>
      <Question asked={asked} count={ids.length} onClose={() => setAsked(null)} onConfirm={(act) => void start(act, ids)} />
      <Dialog open={run !== null} onClose={close} title={isOver ? t('bulk-over') : t('bulk-running')} keepOnOutsideClick>
        <progress className={css.progress} max={run?.total ?? 1} value={outcomes.length} aria-label={t('bulk-running')} />
        <ul className="stack" aria-live="polite">
          {tally(outcomes).map(({ kind, reason, count }) => (
            <li key={`${kind} ${reason ?? ''}`}>
              {t(`bulk-${kind}`, { count })} {reason !== null && <code>{reason}</code>}
            </li>
          ))}
        </ul>
        <FormActions>
          {isOver && failed.length > 0 && (
            <Button
              onClick={() => {
                void start(run.act, failed);
              }}
            >
              {t('bulk-retry', { count: failed.length })}
            </Button>
          )}
          <Button look="primary" disabled={!isOver} onClick={close}>
            {t('close')}
          </Button>
        </FormActions>
      </Dialog>
    </div>
  );
}

interface QuestionProps {
  readonly asked: Confirmed | null;
  readonly count: number;
  readonly onClose: () => void;
  readonly onConfirm: (act: Confirmed) => void;
}

function Question({ asked, count, onClose, onConfirm }: QuestionProps): ReactNode {
  if (asked === null) return null;
  const texts = { title: t(`ask-${asked}`, { count }), action: t(`act-${asked}`), children: t(`ask-${asked}-text`) };
  return asked === 'delete' || count > MANY ? (
    <ConfirmByName open name={formatNumber(count)} onClose={onClose} onConfirm={() => onConfirm(asked)} {...texts} />
  ) : (
    <Confirm open look="danger" onClose={onClose} onConfirm={() => onConfirm(asked)} {...texts} />
  );
}
