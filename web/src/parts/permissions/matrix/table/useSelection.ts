import { useMemo, useState } from 'react';

import type { CatalogEntry } from '../../../../api/access/permission-assignments.js';
import { cellsAt, cellsBetween, firstPlace, isWithin, type Place, type Places } from './block.js';
import { type Cell, isLegal, type Scope, scopeKey } from '../../../../model/permissions/scopes.js';
import type { Category } from '../search.js';

/** A line of the matrix: a category, or one of its permissions. */
export interface Line {
  readonly key: string;
  readonly category: string;
  /** Null in the line of a category. */
  readonly entry: CatalogEntry | null;
  /** Cells of this line by column: in the line of a category all cells below it. */
  readonly cells: readonly (readonly Cell[])[];
}

/** The lines of the matrix from top to bottom. */
export function linesOf(categories: readonly Category[], columns: readonly Scope[], isOfServer: boolean): readonly Line[] {
  return categories.flatMap(([category, entries]): Line[] => {
    const lines = entries.map((entry) => ({
      key: entry.name,
      category,
      entry,
      cells: columns.map((scope) => (isLegal(entry, scope.kind, isOfServer) ? [{ permission: entry.name, scope }] : [])),
    }));
    const all = columns.map((_, column) => lines.flatMap(({ cells }) => cells[column]));
    return [{ key: `category ${category}`, category, entry: null, cells: all }, ...lines];
  });
}

/** A place by its names: lines and columns come and go. */
interface NamedPlace {
  readonly line: string;
  readonly column: string;
}

/** Position of the keyboard in the matrix, and the selected cells. */
export interface Selection {
  readonly places: Places;
  /** Place at which Tab enters. */
  readonly entrance: Place | null;
  readonly active: Place | null;
  readonly cells: readonly Cell[];
  readonly isSelected: (place: Place) => boolean;
  /** Goes to a place; `extend` keeps the selection up to there. */
  readonly goTo: (place: Place, extend: boolean) => void;
}

/** One active place, or a rectangle of places from where Shift was pressed first. */
export function useSelection(lines: readonly Line[], columns: readonly Scope[]): Selection {
  const [active, setActive] = useState<NamedPlace | null>(null);
  const [anchor, setAnchor] = useState<NamedPlace | null>(null);
  const places = useMemo(() => lines.map(({ cells }) => cells), [lines]);

  const find = (named: NamedPlace | null): Place | null => {
    if (named === null) return null;
    const place = {
      row: lines.findIndex(({ key }) => key === named.line),
      column: columns.findIndex((scope) => scopeKey(scope) === named.column),
    };
    return cellsAt(places, place).length > 0 ? place : null;
  };
  const nameOf = ({ row, column }: Place): NamedPlace => ({ line: lines[row].key, column: scopeKey(columns[column]) });

  const [from, to] = [find(anchor), find(active)];
  return {
    places,
    entrance: to ?? firstPlace(places),
    active: to,
    cells: to === null ? [] : cellsBetween(places, from ?? to, to),
    isSelected: (place) => from !== null && to !== null && isWithin(place, from, to),
    goTo(place, extend) {
      setAnchor(extend ? (anchor ?? active) : null);
      setActive(nameOf(place));
    },
  };
}
