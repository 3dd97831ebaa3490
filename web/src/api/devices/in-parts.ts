/** Devices in one call, as the routes take them. */
const IN_ONE_CALL = 1000;
/** Calls under way at once, where each is about one device. */
const AT_ONCE = 4;

/** Calls a route that takes many devices as often as these need it. */
export async function inParts(deviceIds: readonly string[], call: (part: string[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < deviceIds.length; from += IN_ONE_CALL) await call(deviceIds.slice(from, from + IN_ONE_CALL));
}

/** Calls a route once for each device, some at a time. A failure is thrown once no call is under way. */
export async function forEach(deviceIds: readonly string[], call: (deviceId: string) => Promise<unknown>): Promise<void> {
  const waiting = [...deviceIds];
  const work = async (): Promise<void> => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) await call(id);
  };
  const all = Array.from({ length: AT_ONCE }, work);
  await Promise.allSettled(all);
  await Promise.all(all);
}
