/** New values for some members of an object; a member that is left out (undefined) stays as it is. */
export type Changes<T> = { readonly [K in keyof T]?: T[K] };

/** A copy of the values with the changes applied. */
export function withChanges<T extends object>(values: T, changes: Changes<T>): T {
  const given = Object.entries<unknown>(changes).filter(([, value]) => value !== undefined);
  return Object.assign({ ...values }, Object.fromEntries(given));
}
