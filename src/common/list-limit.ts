/**
 * Most items that a list without paging answers. It bounds memory and response size; no list that people administer by hand
 * comes near it.
 */
export const LIST_LIMIT = 10_000;
