import { createContext, useContext } from 'react';

import type { Device } from '../../model/devices/device.js';
import type { PermissionName } from '../../model/permissions/names.js';

/** The device that a page is about, and the user's permissions on it. */
export interface CurrentDevice {
  readonly device: Device;
  /** Display name. */
  readonly name: string;
  /** True if the user holds a permission on this device. The service checks again: this decides only what a page offers. */
  readonly can: (permission: PermissionName) => boolean;
  /** The session reaches this device only: there is nothing else to lead to. */
  readonly isOnlyDevice: boolean;
}

export const CurrentDeviceContext = createContext<CurrentDevice | null>(null);

/** The device of the page that a component stands in. */
export function useCurrentDevice(): CurrentDevice {
  const current = useContext(CurrentDeviceContext);
  if (current === null) throw new Error('No device page is around this component.');
  return current;
}
