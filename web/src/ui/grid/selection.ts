import type { GridAct } from './keys.js';

/** The chosen rows by id, or all rows, loaded or not, but some. It never changes: each act makes another one. */
export class Selection {
  static readonly none = new Selection(new Set());

  /** `total` is the number of all rows, if all are chosen but those of `named`. */
  private constructor(
    private readonly named: ReadonlySet<string>,
    private readonly total?: number,
  ) {}

  static of(ids: Iterable<string>): Selection {
    return new Selection(new Set(ids));
  }

  /** All rows of a list that has so many. */
  static all(total: number): Selection {
    return new Selection(new Set(), total);
  }

  get isAll(): boolean {
    return this.total !== undefined;
  }

  get size(): number {
    return this.total === undefined ? this.named.size : this.total - this.named.size;
  }

  /** The chosen rows; of a selection of all, those that are left out. */
  get ids(): readonly string[] {
    return [...this.named];
  }

  has(id: string): boolean {
    return this.named.has(id) !== this.isAll;
  }

  only(ids: readonly string[]): Selection {
    return Selection.of(ids);
  }

  with(ids: readonly string[]): Selection {
    return this.toggled(ids.filter((id) => !this.has(id)));
  }

  without(ids: readonly string[]): Selection {
    return this.toggled(ids.filter((id) => this.has(id)));
  }

  toggled(ids: readonly string[]): Selection {
    const next = new Set(this.named);
    for (const id of ids) if (!next.delete(id)) next.add(id);
    return new Selection(next, this.total);
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
