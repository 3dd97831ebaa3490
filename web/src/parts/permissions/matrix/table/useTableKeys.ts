import { type KeyboardEvent, type PointerEvent, type RefObject, useRef } from 'react';

import { cellsAt, type Direction, lastPlace, nextPlace, type Place } from './block.js';
import type { PlaceButtonProps } from './CellButton.js';
import { type CellState, isOn, nextState, stateOf, withEnabled, withState } from '../contents.js';
import type { Cell } from '../../../../model/permissions/scopes.js';
import { isRightToLeft } from '../../../../ui/direction.js';
import type { MatrixTableProps } from './table-props.js';

/** The keys that set the selected cells; Space and Enter take the next state. */
const STATES: Readonly<Record<string, CellState>> = { a: 'Allow', d: 'Deny', Delete: 'none', Backspace: 'none' };
const MOVES: Readonly<Record<string, Direction>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};
/** The keys of the next and the previous column where the first column is at the right. */
const TURNED: Readonly<Record<string, Direction>> = { ...MOVES, ArrowLeft: MOVES.ArrowRight, ArrowRight: MOVES.ArrowLeft };
const JUMPS: Readonly<Record<string, Direction>> = { Home: [0, -1], End: [0, 1] };

interface TableKeys {
  /** The element around the buttons. */
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  /** Properties that every button of the table has. */
  readonly buttonAt: (place: Place) => Omit<PlaceButtonProps, 'isLocked'>;
}

/** Keys and clicks of the table: they select cells and change the selected ones. */
export function useTableKeys(props: MatrixTableProps): TableKeys {
  const { selection, contentAt, mayChange, mayDeny, onChange, onNote } = props;
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
    if (cells.length === 1 && mayChange(only) && (content.Allow ?? content.Deny) !== null) onNote?.(only);
  };
  const act = (key: string): boolean => {
    const state = STATES[key];
    if (state !== undefined) {
      if (state !== 'Deny' || mayDeny) setState(cells, state);
    } else if (onNote === null) return false;
    else if (key === 'e') toggle();
    else if (key === 'n') note();
    else return false;
    return true;
  };
  const move = (event: KeyboardEvent): boolean => {
    if (active === null) return false;
    const direction = (isRightToLeft(event.currentTarget) ? TURNED : MOVES)[event.key];
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
  const buttonAt = (place: Place): Omit<PlaceButtonProps, 'isLocked'> => ({
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
  return { frame, onKeyDown, buttonAt };
}
