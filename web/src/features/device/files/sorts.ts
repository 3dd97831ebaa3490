/** The orders of a folder's list, as the address names them. */
export const SORTS = ['name', '-name', 'size', '-size', 'modified', '-modified'] as const;
export type Sort = (typeof SORTS)[number];

/** The order without one in the address. */
export const DEFAULT_SORT: Sort = 'name';
