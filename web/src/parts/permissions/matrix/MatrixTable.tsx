import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from 'react';

import { t } from '../texts.js';
import css from './AccessMatrix.module.css';
import { cellsAt, type Direction, lastPlace, nextPlace, type Place } from './block.js';
import { CategoryButton, CellButton } from './CellButton.js';
import { type CellState, type Changes, type Content, isOn, nextState, stateOf, withEnabled, withState } from './contents.js';
import type { Names } from './names.js';
import { type Cell, cellKey, type Scope, scopeKey } from '../../../model/permissions/scopes.js';
import type { Grant } from './standing.js';
import type { Line, Selection } from './useSelection.js';

interface MatrixTableProps {
  readonly lines: readonly Line[];
  readonly columns: readonly Scope[];
  readonly names: Names;
  readonly selection: Selection;
  readonly changes: Changes;
  /** Grants of groups, by cell. */
  readonly brought: ReadonlyMap<string, readonly Grant[]>;
  readonly contentAt: (cell: Cell) => Content;
  readonly mayChange: (cell: Cell) => boolean;
  readonly mayDeny: boolean;
  readonly onChange: (cells: readonly Cell[], set: (content: Content, stored: Content) => Content) => void;
  readonly onNote: (cell: Cell) => void;
}

/** The keys that set the selected cells; Space and Enter take the next state. */
const STATES: Readonly<Record<string, CellState>> = { a: 'Allow', d: 'Deny', Delete: 'none', Backspace: 'none' };
const MOVES: Readonly<Record<string, Direction>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};
const JUMPS: Readonly<Record<string, Direction>> = { Home: [0, -1], End: [0, 1] };

/** Permissions by category, against scopes. Tab reaches the table once, the arrow keys go from cell to cell. */
export function MatrixTable(props: MatrixTableProps): ReactNode {
  const { lines, columns, names, selection, changes, brought, contentAt, mayChange, mayDeny, onChange, onNote } = props;
  const { places, entrance, active, cells, isSelected, goTo } = selection;
  const frame = useRef<HTMLDivElement>(null);
  /** The arrow keys move the focus: the selection is decided already. */
  const isMoving = useRef(false);

  const focusOn = (place: Place): void => {
    isMoving.current = true;
    frame.current?.querySelector<HTMLElement>(`[data-place="${place.row} ${place.column}"]`)?.focus();
    isMoving.current = false;
  };
  const isActive = (place: Place): boolean => place.row === active?.row && place.column === active.column;
  const setState = (wanted: readonly Cell[], state: CellState): void =>
    onChange(wanted, (content, stored) => withState(content, state, stored));
  /** The next state of all of them, counted from the first. */
  const cycle = (wanted: readonly Cell[]): void => {
    const [first] = wanted;
    setState(wanted, nextState(stateOf(contentAt(first)), mayDeny));
  };
  const toggle = (): void => {
    const isAnyOn = cells.some((cell) => isOn(contentAt(cell)));
    onChange(cells, (content) => withEnabled(content, !isAnyOn));
  };
  const note = (): void => {
    const [only] = cells;
    const content = contentAt(only);
    if (cells.length === 1 && mayChange(only) && (content.Allow ?? content.Deny) !== null) onNote(only);
  };
  const act = (key: string): boolean => {
    const state = STATES[key];
    if (state !== undefined) {
      if (state !== 'Deny' || mayDeny) setState(cells, state);
    } else if (key === 'e') toggle();
    else if (key === 'n') note();
    else return false;
    return true;
  };
  const move = (event: KeyboardEvent): boolean => {
    if (active === null) return false;
    const direction = MOVES[event.key];
    const jump = JUMPS[event.key];
    if (direction === undefined && jump === undefined) return false;
    const place = jump === undefined ? nextPlace(places, active, direction) : lastPlace(places, active, jump);
    if (place === null) return true;
    goTo(place, event.shiftKey);
    focusOn(place);
    return true;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || cells.length === 0) return;
    const isDone = move(event) || act(event.key.length === 1 ? event.key.toLowerCase() : event.key);
    if (!isDone) return;
    event.preventDefault();
    event.stopPropagation();
  };
  /** Properties that every button of the table has. */
  const buttonAt = (place: Place) => ({
    place,
    isSelected: isSelected(place),
    isTabStop: place.row === entrance?.row && place.column === entrance.column,
    onFocus() {
      if (!isMoving.current && !isActive(place)) goTo(place, false);
    },
    onPointerDown: (event: PointerEvent) => goTo(place, event.shiftKey),
    onPress(isPointer: boolean, isExtending: boolean) {
      if (isPointer && isExtending) return;
      // A key acts on the selection. A click acts on the cell that was clicked.
      cycle(!isPointer && isActive(place) ? cells : cellsAt(places, place));
    },
  });

  return (
    // The keys are those of the buttons in it.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={css.frame} ref={frame} onKeyDown={onKeyDown}>
      <table className={css.table} aria-label={t('access')}>
        <thead>
          <tr>
            <th scope="col">{t('permission')}</th>
            {columns.map((scope) => (
              <th key={scopeKey(scope)} scope="col" className={css.column}>
                <span className={css.kind}>{t(`kind-${scope.kind}`)}</span>
                <span className={css.scope} title={names.scopeName(scope)}>
                  {names.scopeName(scope)}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map(({ key, category, entry, cells: inLine }, row) => (
            <tr key={key} className={entry === null ? css.category : undefined}>
              {entry === null ? (
                <th scope="row">{category}</th>
              ) : (
                <th scope="row" className={css.name} title={`${entry.name}: ${entry.description}`}>
                  {entry.displayName}
                </th>
              )}
              {inLine.map((inPlace, column) => {
                const scope = columns[column];
                if (inPlace.length === 0) {
                  return (
                    <td key={scopeKey(scope)} className={css.illegal}>
                      <span className="visually-hidden">{t('not-here')}</span>
                    </td>
                  );
                }
                const button = buttonAt({ row, column });
                const [cell] = inPlace;
                return (
                  <td key={scopeKey(scope)}>
                    {entry === null ? (
                      <CategoryButton
                        {...button}
                        category={category}
                        scopeName={names.scopeName(scope)}
                        states={inPlace.map((each) => stateOf(contentAt(each)))}
                        isLocked={!inPlace.some(mayChange)}
                      />
                    ) : (
                      <CellButton
                        {...button}
                        {...{ cell, names }}
                        content={contentAt(cell)}
                        brought={brought.get(cellKey(cell)) ?? []}
                        isChanged={changes.has(cellKey(cell))}
                        isLocked={!mayChange(cell)}
                      />
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
