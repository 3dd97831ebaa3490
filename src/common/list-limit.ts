/**
 * Most items that a list without paging answers. It bounds memory and response size; no list that people administer by hand
 * comes near it. A list that machines fill says in its description that it may be cut.
 */
export const LIST_LIMIT = 10_000;
