import { useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';

import { DEVICE_ROW } from '../../keyboard/shortcuts.js';
import type { Pressed } from '../../ui/kbd/keys.js';
import { shortcutOf } from '../../ui/kbd/shortcuts.js';
import type { Device } from '../../model/devices/device-search.js';

/** The parts of a device that a row leads to by a key. */
const PARTS = {
  'open-terminal': '/devices/$deviceId/terminal',
  'open-files': '/devices/$deviceId/files',
  'open-screen': '/devices/$deviceId/screen',
} as const satisfies Record<keyof typeof DEVICE_ROW, string>;

/** Acts on keys of a row, besides those of every list. */
export function useRowKeys(): (device: Device, event: Pressed) => boolean {
  const router = useRouter();
  return useCallback(
    (device, event) => {
      const part = shortcutOf(DEVICE_ROW, event);
      if (part !== undefined) void router.navigate({ to: PARTS[part], params: { deviceId: device.id } });
      return part !== undefined;
    },
    [router],
  );
}
