import { useEffect, useState } from 'react';

import { onDeviceUpdate } from '../../live/device-feed.js';
import { type Device, readSort } from '../../model/devices/device-search.js';

/**
 * Number of devices in sight that would move if the list were sorted again. Rows never move by themselves: the page offers to sort again.
 */
export function useChangedOrder(inSight: readonly Device[], sort: string | undefined): number {
  const [moved, setMoved] = useState<ReadonlySet<string>>(new Set());
  // New rows come sorted.
  useEffect(() => setMoved(new Set()), [inSight]);
  useEffect(() => {
    const shown = new Map(inSight.map((device) => [device.id, device]));
    return onDeviceUpdate((live) => {
      const device = shown.get(live.id);
      if (device === undefined || !hasMoved(device, live, sort)) return;
      setMoved((before) => (before.has(live.id) ? before : new Set([...before, live.id])));
    });
  }, [inSight, sort]);
  return moved.size;
}

/** True if a property that the list is sorted by has changed. Figures change with every report and do not count. */
function hasMoved(device: Device, live: object, sort: string | undefined): boolean {
  return readSort(sort).some(({ property }) => {
    const before: unknown = Reflect.get(device, property);
    const after: unknown = Reflect.get(live, property);
    return (typeof before === 'string' || typeof before === 'boolean') && property !== 'lastSeen' && before !== after;
  });
}
