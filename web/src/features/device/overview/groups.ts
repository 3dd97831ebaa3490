/** A device group by its id and name. */
export interface Group {
  readonly id: string;
  readonly name: string;
}

/**
 * The groups of a device. A device does not name them itself, and `isInAny` checks some groups for it: halves without it are left out, so
 * that few requests find few groups among many.
 */
export async function groupsWith(groups: readonly Group[], isInAny: (ids: readonly string[]) => Promise<boolean>): Promise<Group[]> {
  if (groups.length === 0 || !(await isInAny(groups.map(({ id }) => id)))) return [];
  if (groups.length === 1) return [...groups];
  const middle = Math.ceil(groups.length / 2);
  const halves = await Promise.all([groupsWith(groups.slice(0, middle), isInAny), groupsWith(groups.slice(middle), isInAny)]);
  return halves.flat();
}
