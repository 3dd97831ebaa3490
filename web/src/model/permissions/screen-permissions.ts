import type { PermissionName } from './names.js';

/** The permissions to open the screen of a device, by remote control or by VNC. One of them is enough. */
export const SCREEN_PERMISSIONS = [
  'device.remote-control.connect',
  'device.vnc-relay.connect',
] as const satisfies readonly PermissionName[];
