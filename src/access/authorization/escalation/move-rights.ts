import { forbidden } from '../../../platform/common/errors/errors.js';
import { Permission } from '../permissions/permission.js';

/**
 * 403 unless the caller may read every device that comes into a customer or group: otherwise it could gain rights by bringing devices to
 * where it has them. The rules that keep devices from leaving are in `denials.ts`.
 */
export function requireIncoming(devices: readonly { readonly isReadable: boolean }[]): void {
  if (devices.every(({ isReadable }) => isReadable)) return;
  throw forbidden(`Moving a device requires ${Permission.DeviceRead.name} on it: you may not read all of these devices.`);
}
