/**
 * Names that fields may have, as keys. The kit has one of its own; the layers above it, which know the service, add those of requests.
 *
 * @public
 */
export interface FieldNames {
  readonly confirmation: unknown;
}

/** The name of a field of a form. */
export type FieldName = keyof FieldNames;
