import { deviceQuery } from '../api/devices/devices.js';
import { queryClient } from '../api/queries.js';

/** Reads from the service if a device is online: its pushes have a gap. A failed read counts as offline: the next push corrects it. */
export const isOnlineNow = (deviceId: string): Promise<boolean> =>
  queryClient.fetchQuery({ ...deviceQuery(deviceId), staleTime: 0 }).then(
    ({ isOnline }) => isOnline,
    () => false,
  );
