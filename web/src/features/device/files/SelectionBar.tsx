import { X } from 'lucide';
import type { ReactNode } from 'react';

import { Button, IconButton } from '../../../ui/button/Button.js';
import css from './FileBrowser.module.css';
import { t } from './texts.js';
import type { FileActs } from './useFileActs.js';

interface SelectionBarProps {
  readonly count: number;
  readonly acts: FileActs;
  readonly onClear: () => void;
}

/** Actions for the chosen files and folders. */
export function SelectionBar({ count, acts, onClear }: SelectionBarProps): ReactNode {
  return (
    <div className={css.selection}>
      <span role="status">{t('selected', { count })}</span>
      {[...acts].map(([name, { label, icon, danger, disabled, hint, onSelect }]) => (
        <Button key={name} icon={icon} look={danger === true ? 'danger' : undefined} disabled={disabled} title={hint} onClick={onSelect}>
          {label}
        </Button>
      ))}
      <IconButton icon={X} label={t('cancel')} onClick={onClear} />
    </div>
  );
}
