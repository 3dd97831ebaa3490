import type { FieldName } from './field-name.js';

/* Fields have the names of requests. */

export const right: FieldName = 'displayName';
// @ts-expect-error: a typo
export const wrong: FieldName = 'dispalyName';
