/** A device group by its id and name. */
export interface Group {
  readonly id: string;
  readonly name: string;
}

/**
 * The groups that a device is in. A device does not say so itself, and `isInAny` tells whether it is in one of some groups: halves without
 * it are left out, so that few questions find few groups among many.
 */
export async function groupsWith(groups: readonly Group[], isInAny: (ids: readonly string[]) => Promise<boolean>): Promise<Group[]> {
  if (groups.length === 0 || !(await isInAny(groups.map(({ id }) => id)))) return [];
  if (groups.length === 1) return [...groups];
  const middle = Math.ceil(groups.length / 2);
  const halves = await Promise.all([groupsWith(groups.slice(0, middle), isInAny), groupsWith(groups.slice(middle), isInAny)]);
  return halves.flat();
}
