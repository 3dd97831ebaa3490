import type { GridAct } from './keys.js';

/** The chosen rows by id. It never changes: each act makes another one. */
export class Selection {
  static readonly none = new Selection(new Set());

  private constructor(private readonly chosen: ReadonlySet<string>) {}

  static of(ids: Iterable<string>): Selection {
    return new Selection(new Set(ids));
  }

  get size(): number {
    return this.chosen.size;
  }

  get ids(): readonly string[] {
    return [...this.chosen];
  }

  has(id: string): boolean {
    return this.chosen.has(id);
  }

  only(ids: readonly string[]): Selection {
    return Selection.of(ids);
  }

  with(ids: readonly string[]): Selection {
    return Selection.of([...this.chosen, ...ids]);
  }

  toggled(ids: readonly string[]): Selection {
    const next = new Set(this.chosen);
    for (const id of ids) if (!next.delete(id)) next.add(id);
    return new Selection(next);
  }
}

const MOVES: Partial<Record<GridAct, (from: number, count: number, page: number) => number>> = {
  'row-next': (from) => from + 1,
  'row-previous': (from) => from - 1,
  'row-first': () => 0,
  'row-last': (_from, count) => count - 1,
  'row-page-down': (from, _count, page) => from + page,
  'row-page-up': (from, _count, page) => from - page,
};

/** The row that an act moves the focus to; null for other acts. */
export function moveFocus(act: GridAct | undefined, from: number, count: number, page: number): number | null {
  const move = act === undefined ? undefined : MOVES[act];
  return move === undefined || count === 0 ? null : Math.max(0, Math.min(count - 1, move(from, count, page)));
}
