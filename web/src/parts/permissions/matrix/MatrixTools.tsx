import { Plus } from 'lucide';
import type { ReactNode } from 'react';

import type { Principal } from '../../../api/access/permission-assignments.js';
import { Button } from '../../../ui/button/Button.js';
import { ToggleChip } from '../../../ui/chip/Chip.js';
import { SearchField } from '../../../ui/field/SearchField.js';
import { LinkButton } from '../../../ui/link-button/LinkButton.js';
import { t } from '../texts.js';
import css from './AccessMatrix.module.css';

interface MatrixToolsProps {
  readonly principal: Principal;
  readonly isOfServer: boolean;
  readonly text: string;
  readonly onText: (text: string) => void;
  /** How many permissions are granted or denied, and if only those are shown; null where there is no choice. */
  readonly granted: { readonly count: number; readonly isOnly: boolean; readonly onOnly: (isOnly: boolean) => void } | null;
  /** The menu of presets; null for users who may change nothing. */
  readonly presets: ReactNode;
  readonly onAddScope: () => void;
}

/** What stands above the matrix: its search, and what adds to it. */
export function MatrixTools({ principal, isOfServer, text, onText, granted, presets, onAddScope }: MatrixToolsProps): ReactNode {
  return (
    <div className={css.tools}>
      <SearchField label={t('search')} value={text} onSearch={onText} isMain={false} />
      {granted !== null && (
        <ToggleChip pressed={granted.isOnly} onClick={() => granted.onOnly(!granted.isOnly)}>
          {t('granted-only', { count: granted.count })}
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
      {/* The service answers no questions about accounts of the server. */}
      {!isOfServer && (
        <LinkButton to="/effective-permissions" search={{ who: `${principal.kind}:${principal.id}` }}>
          {t('explain')}
        </LinkButton>
      )}
    </div>
  );
}
