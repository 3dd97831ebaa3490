import { Check, Minus, X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useState } from 'react';

import { classes } from '../../ui/classes.js';
import type { CatalogEntry } from '../permissions.js';
import { t } from '../texts.js';
import css from './AccessMatrix.module.css';
import { cellKey, type CellState, type Changes, type Effect, isLegal, nextState, type Scope, scopeKey, withCell } from './rules.js';

interface MatrixTableProps {
  readonly categories: readonly (readonly [string, readonly CatalogEntry[]])[];
  readonly columns: readonly Scope[];
  readonly nameOf: (scope: Scope) => string;
  readonly stored: ReadonlyMap<string, Effect>;
  readonly changes: Changes;
  readonly isOfServer: boolean;
  /** Whether the caller may write assignments at a scope. */
  readonly mayChange: (scope: Scope) => boolean;
  readonly mayDeny: boolean;
  readonly onChange: (changes: Changes) => void;
}

/** The keys that set a cell; Space and Enter take the next state. */
const KEYS: Readonly<Record<string, CellState>> = { a: 'Allow', d: 'Deny', Delete: 'none', Backspace: 'none' };
const MOVES: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Permissions by category, against scopes. Tab reaches the table once, the arrow keys go from cell to cell. */
export function MatrixTable(props: MatrixTableProps): ReactNode {
  const { categories, columns, nameOf, stored, changes, isOfServer, mayChange, mayDeny, onChange } = props;
  const rows = categories.flatMap(([, entries]) => entries);
  const [active, setActive] = useState<string | null>(null);
  const isReachable = (entry: CatalogEntry, scope: Scope): boolean => isLegal(entry, scope.kind, isOfServer);
  const keys = rows.flatMap((entry) =>
    columns.filter((scope) => isReachable(entry, scope)).map((scope) => cellKey({ permission: entry.name, scope })),
  );
  const tabStop = active !== null && keys.includes(active) ? active : keys.at(0);
  return (
    // The keys are those of the buttons in it.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={css.frame} onKeyDown={moveFocus}>
      <table className={css.table} aria-label={t('access')}>
        <thead>
          <tr>
            <th scope="col">{t('permission')}</th>
            {columns.map((scope) => (
              <th key={scopeKey(scope)} scope="col" className={css.column}>
                <span className={css.kind}>{t(`kind-${scope.kind}`)}</span>
                <span className={css.scope} title={nameOf(scope)}>
                  {nameOf(scope)}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        {categories.map(([category, entries]) => (
          <tbody key={category}>
            <tr className={css.category}>
              <th scope="rowgroup" colSpan={columns.length + 1}>
                {category}
                <span className={css.count}>{entries.length}</span>
              </th>
            </tr>
            {entries.map((entry) => (
              <tr key={entry.name}>
                <th scope="row" className={css.name} title={`${entry.name}: ${entry.description}`}>
                  {entry.displayName}
                </th>
                {columns.map((scope, column) => {
                  const cell = { permission: entry.name, scope };
                  const key = cellKey(cell);
                  if (!isReachable(entry, scope)) {
                    return (
                      <td key={key} className={css.illegal}>
                        <span className="visually-hidden">{t('not-here')}</span>
                      </td>
                    );
                  }
                  const state = changes.get(key)?.state ?? stored.get(key) ?? 'none';
                  const isLocked = !mayChange(scope) || (stored.get(key) === 'Deny' && !mayDeny);
                  return (
                    <td key={key}>
                      <CellButton
                        label={t('cell', { permission: entry.displayName, scope: nameOf(scope), state: t(`state-${state}`) })}
                        state={state}
                        isChanged={changes.has(key)}
                        isLocked={isLocked}
                        mayDeny={mayDeny}
                        isTabStop={key === tabStop}
                        row={rows.indexOf(entry)}
                        column={column}
                        onFocus={() => setActive(key)}
                        onSet={(next) => onChange(withCell(changes, cell, next, stored))}
                      />
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

interface CellButtonProps {
  readonly label: string;
  readonly state: CellState;
  readonly isChanged: boolean;
  readonly isLocked: boolean;
  readonly mayDeny: boolean;
  readonly isTabStop: boolean;
  readonly row: number;
  readonly column: number;
  readonly onFocus: () => void;
  readonly onSet: (state: CellState) => void;
}

const ICONS = { Allow: Check, Deny: X, none: Minus } as const;

function CellButton(props: CellButtonProps): ReactNode {
  const { label, state, isChanged, isLocked, mayDeny, isTabStop, row, column, onFocus, onSet } = props;
  const Icon = ICONS[state];
  return (
    <button
      type="button"
      className={classes(css.cell, css[state], isChanged && css.changed)}
      aria-label={isChanged ? t('cell-changed', { label }) : label}
      aria-disabled={isLocked || undefined}
      data-row={row}
      data-column={column}
      tabIndex={isTabStop ? 0 : -1}
      onFocus={onFocus}
      onClick={() => {
        if (!isLocked) onSet(nextState(state, mayDeny));
      }}
      onKeyDown={(event) => {
        const wanted = event.ctrlKey || event.metaKey || event.altKey ? undefined : KEYS[event.key];
        if (wanted === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        if (!isLocked && (wanted !== 'Deny' || mayDeny)) onSet(wanted);
      }}
    >
      <Icon size={16} strokeWidth={1.75} aria-hidden />
      {state !== 'none' && <span>{t(`state-${state}`)}</span>}
    </button>
  );
}

/** Puts the focus on the next cell in a direction, past those that are not legal. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const move = MOVES[event.key];
  const { row, column } = event.target instanceof HTMLElement ? event.target.dataset : {};
  if (move === undefined || row === undefined || column === undefined) return;
  event.preventDefault();
  const at = (r: number, c: number): HTMLElement | null => event.currentTarget.querySelector(`[data-row="${r}"][data-column="${c}"]`);
  const cells = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row]')];
  const lastRow = Math.max(...cells.map((each) => Number(each.dataset.row)));
  const lastColumn = Math.max(...cells.map((each) => Number(each.dataset.column)));
  let [r, c] = [Number(row) + move[0], Number(column) + move[1]];
  while (r >= 0 && c >= 0 && r <= lastRow && c <= lastColumn) {
    const next = at(r, c);
    if (next !== null) return next.focus();
    [r, c] = [r + move[0], c + move[1]];
  }
}
