import { Download, Trash2, X } from 'lucide';
import type { ReactNode } from 'react';

import { Button, IconButton } from '../../../ui/button/Button.js';
import css from './FileBrowser.module.css';
import { t } from './texts.js';

interface SelectionBarProps {
  readonly count: number;
  /** Null without the permission. */
  readonly onDownload: (() => void) | null;
  readonly onDelete: (() => void) | null;
  readonly onClear: () => void;
}

/** Actions for the chosen files and folders. */
export function SelectionBar({ count, onDownload, onDelete, onClear }: SelectionBarProps): ReactNode {
  return (
    <div className={css.selection}>
      <span role="status">{t('selected', { count })}</span>
      {onDownload !== null && (
        <Button icon={Download} onClick={onDownload}>
          {t(count === 1 ? 'download' : 'archive')}
        </Button>
      )}
      {onDelete !== null && (
        <Button icon={Trash2} look="danger" onClick={onDelete}>
          {t('delete')}
        </Button>
      )}
      <IconButton icon={X} label={t('cancel')} onClick={onClear} />
    </div>
  );
}
