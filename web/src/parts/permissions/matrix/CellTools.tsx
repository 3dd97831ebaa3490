import type { ReactNode } from 'react';

import { Button } from '../../../ui/button/Button.js';
import { Kbd } from '../../../ui/kbd/Kbd.js';
import { t } from '../texts.js';
import css from './AccessMatrix.module.css';
import { type CellState, type Content, EFFECTS, isOn, withEnabled, withState } from './contents.js';
import type { Names } from './names.js';
import type { Cell } from '../../../model/permissions/scopes.js';

interface CellToolsProps {
  /** Stands in their line while no cell is selected. */
  readonly headline: ReactNode;
  /** The selected cells. */
  readonly cells: readonly Cell[];
  readonly names: Names;
  readonly contentAt: (cell: Cell) => Content;
  readonly mayChange: (cell: Cell) => boolean;
  readonly mayDeny: boolean;
  readonly onChange: (set: (content: Content, stored: Content) => Content) => void;
  /** Null where cells have neither notes nor a disabled state. */
  readonly onNote: ((cell: Cell) => void) | null;
}

/** Actions on the selected cells, each with its key. */
export function CellTools({ headline, cells, names, contentAt, mayChange, mayDeny, onChange, onNote }: CellToolsProps): ReactNode {
  const changeable = cells.filter(mayChange);
  const filled = changeable.filter((cell) => EFFECTS.some((effect) => contentAt(cell)[effect] !== null));
  const isAnyOn = filled.some((cell) => isOn(contentAt(cell)));
  const [only] = filled;
  const act = (label: string, key: string, isOffered: boolean, run: () => void): ReactNode => (
    <Button look="quiet" disabled={!isOffered} onClick={run} aria-keyshortcuts={key}>
      <span className="row">
        {label} <Kbd keys={key} />
      </span>
    </Button>
  );
  const set = (state: CellState) => (): void => onChange((content, stored) => withState(content, state, stored));
  return (
    <div className={css.cellTools} role="toolbar" aria-label={t('selected')}>
      {cells.length === 0 && <div className={css.headline}>{headline}</div>}
      <span className={css.selected} role="status" hidden={cells.length === 0}>
        {selectedText(cells, names)}
      </span>
      {act(t('state-Allow'), 'A', changeable.length > 0, set('Allow'))}
      {mayDeny && act(t('state-Deny'), 'D', changeable.length > 0, set('Deny'))}
      {act(t('clear'), 'Delete', filled.length > 0, set('none'))}
      {onNote !== null && (
        <>
          {act(isAnyOn ? t('disable') : t('enable'), 'E', filled.length > 0, () => onChange((content) => withEnabled(content, !isAnyOn)))}
          {act(t('note'), 'N', cells.length === 1 && filled.length === 1, () => onNote(only))}
        </>
      )}
    </div>
  );
}

function selectedText(cells: readonly Cell[], { permissionName, scopeName }: Names): string {
  if (cells.length === 0) return '';
  if (cells.length > 1) return t('selected-cells', { count: cells.length });
  const [{ permission, scope }] = cells;
  return t('cell-name', { permission: permissionName(permission), scope: scopeName(scope) });
}
