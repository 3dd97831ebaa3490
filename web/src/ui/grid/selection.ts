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

/** The row that a key moves the focus to; null for other keys. */
export function moveFocus(key: string, from: number, count: number, page: number): number | null {
  const to = target(key, from, count, page);
  return to === null || count === 0 ? null : Math.max(0, Math.min(count - 1, to));
}

function target(key: string, from: number, count: number, page: number): number | null {
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return from + 1;
    case 'ArrowUp':
    case 'k':
      return from - 1;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    case 'PageDown':
      return from + page;
    case 'PageUp':
      return from - page;
    default:
      return null;
  }
}
