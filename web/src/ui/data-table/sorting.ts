/** Order of a list, as it stands in the address: `name`, or `-created` for descending. */
export type Sort = string;

export type SortValue = string | number | boolean | Date | null | undefined;

export const sortColumn = (sort: Sort): string => sort.replace(/^-/, '');
export const isDescending = (sort: Sort): boolean => sort.startsWith('-');

/** The sort after a click on a column's header: ascending first, then the other way round. */
export const nextSort = (sort: Sort | undefined, column: string): Sort => (sort === column ? `-${column}` : column);

// Numbers in names count as numbers: lab-2 stands before lab-10.
const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

function compare(a: NonNullable<SortValue>, b: NonNullable<SortValue>): number {
  if (typeof a === 'string' && typeof b === 'string') return collator.compare(a, b);
  return Number(a) - Number(b);
}

/** The rows in order of a value; rows without one come last in both directions, equal rows keep their order. */
export function sortRows<T>(rows: readonly T[], valueOf: (row: T) => SortValue, descending: boolean): T[] {
  return [...rows].sort((first, second) => {
    const [a, b] = [valueOf(first), valueOf(second)];
    if (isMissing(a) || isMissing(b)) return Number(isMissing(a)) - Number(isMissing(b));
    return descending ? compare(b, a) : compare(a, b);
  });
}

const isMissing = (value: SortValue): value is null | undefined => value === null || value === undefined || value === '';
