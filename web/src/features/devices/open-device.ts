import { useRouter } from '@tanstack/react-router';
import { type MouseEvent, useCallback } from 'react';

import type { Device } from './device-search.js';

/** Whether the user prefers devices in tabs of their own. */
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

/** Makes a link to a device that is clicked lead where the user prefers it. The preference may have come after the link. */
export function aimAtTab({ currentTarget: link }: MouseEvent<HTMLAnchorElement>): void {
  link.target = prefersTab() ? '_blank' : '';
}
