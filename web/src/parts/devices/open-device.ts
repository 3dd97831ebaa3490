import { useRouter } from '@tanstack/react-router';
import { type MouseEvent, useCallback } from 'react';

import type { Device } from '../../model/devices/device-search.js';

/** True if the user prefers devices in tabs of their own. */
const prefersTab = (): boolean => document.documentElement.dataset.deviceTab === 'new';

/** Opens a device: in a new tab if that is asked for, or preferred. */
export function useOpenDevice(): (device: Device, newTab: boolean) => void {
  const router = useRouter();
  return useCallback(
    ({ id }, newTab) => {
      const { href } = router.buildLocation({ to: '/devices/$deviceId', params: { deviceId: id } });
      if (newTab || prefersTab()) window.open(href, '_blank', 'noopener');
      else void router.navigate({ href });
    },
    [router],
  );
}

/** Sets the target of a clicked device link. The preference may have changed since the link was drawn. */
export function aimAtTab({ currentTarget: link }: MouseEvent<HTMLAnchorElement>): void {
  link.target = prefersTab() ? '_blank' : '';
}
