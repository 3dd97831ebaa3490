import { Plus } from 'lucide';
import type { ReactNode } from 'react';

import { Button } from '../../../ui/button/Button.js';
import { ToggleChip } from '../../../ui/chip/Chip.js';
import { SearchField } from '../../../ui/field/SearchField.js';
import { t } from '../texts.js';
import css from './AccessMatrix.module.css';

interface MatrixToolsProps {
  readonly text: string;
  readonly onText: (text: string) => void;
  /** Switches to the permissions that are granted or denied; null where there is no choice. */
  readonly granted: { readonly label: string; readonly isOnly: boolean; readonly onOnly: (isOnly: boolean) => void } | null;
  /** The menu of presets; null for users who may change nothing. */
  readonly presets: ReactNode;
  readonly onAddScope: () => void;
  readonly links: ReactNode;
}

/** The tools above the matrix: its search, and the buttons that add to it. */
export function MatrixTools({ text, onText, granted, presets, onAddScope, links }: MatrixToolsProps): ReactNode {
  return (
    <div className={css.tools}>
      <SearchField label={t('search')} value={text} onSearch={onText} isMain={false} />
      {granted !== null && (
        <ToggleChip pressed={granted.isOnly} onClick={() => granted.onOnly(!granted.isOnly)}>
          {granted.label}
        </ToggleChip>
      )}
      {presets !== null && (
        <>
          {presets}
          <Button icon={Plus} onClick={onAddScope}>
            {t('add-scope')}
          </Button>
        </>
      )}
      {links}
    </div>
  );
}
