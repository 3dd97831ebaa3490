import type { Type } from '@nestjs/common';

/** Description of one field of a DTO class for binding. */
export interface FieldDescription {
  readonly name: string;
  /** The value of an omitted or null field; undefined when the field is required, or when omitting it keeps the stored value. */
  readonly fallback: unknown;
  readonly nested?: () => Type<object>;
}

const FIELDS = Symbol('dto fields');

/** Adds a field to the class of a prototype. Called by the field decorators. */
export function registerField(prototype: object, description: FieldDescription): void {
  let own = Reflect.getOwnMetadata(FIELDS, prototype) as Map<string, FieldDescription> | undefined;
  if (own === undefined) {
    own = new Map(inherited(prototype));
    Reflect.defineMetadata(FIELDS, own, prototype);
  }
  own.set(description.name.toLowerCase(), description);
}

/** The fields of a DTO class by their lower-case names; empty for a class without field decorators. */
export function fieldsOf(type: Type<object>): ReadonlyMap<string, FieldDescription> {
  return (
    (Reflect.getMetadata(FIELDS, type.prototype as object) as Map<string, FieldDescription> | undefined) ??
    new Map<string, FieldDescription>()
  );
}

function inherited(prototype: object): Map<string, FieldDescription> {
  return (Reflect.getMetadata(FIELDS, prototype) as Map<string, FieldDescription> | undefined) ?? new Map<string, FieldDescription>();
}
