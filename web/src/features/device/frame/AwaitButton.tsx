import { useRouter } from '@tanstack/react-router';
import { Bell, BellRing } from 'lucide';
import type { ReactNode } from 'react';

import { awaitDevice, forgetAwaited, useIsAwaited } from '../../../live/awaited-devices.js';
import { Button } from '../../../ui/button/Button.js';
import { toast } from '../../../ui/toast/toasts.js';
import { useCurrentDevice } from '../current-device.js';
import { t } from '../texts.js';

/** Tells the user on any page when the device is back, and leads back to the page that they wanted. */
export function AwaitButton(): ReactNode {
  const { device, name } = useCurrentDevice();
  const router = useRouter();
  const isAwaited = useIsAwaited(device.id);
  const wait = (): void => {
    const { href } = router.latestLocation;
    const open = (): void => void router.navigate({ href });
    const title = t('is-back', { name });
    askToNotify();
    awaitDevice(device.id, () => {
      // The page that is awaited opens by itself if it is in sight.
      if (document.visibilityState === 'visible' && router.latestLocation.href === href) return;
      toast(title, { action: { label: t('open-back'), run: open } });
      if (document.visibilityState === 'hidden') notify(title, open);
    });
  };
  return (
    <Button icon={isAwaited ? BellRing : Bell} aria-pressed={isAwaited} onClick={isAwaited ? () => forgetAwaited(device.id) : wait}>
      {t('tell-when-back')}
    </Button>
  );
}

/** Asks for the permission to notify. Browsers allow this only after a click, and over https. */
function askToNotify(): void {
  if ('Notification' in window && Notification.permission === 'default') void Notification.requestPermission();
}

/** Shows a notification of the system, for a user who looks at another window. */
function notify(title: string, onClick: () => void): void {
  if (!('Notification' in window) || Notification.permission !== 'granted') return;
  const notification = new Notification(title, { icon: '/favicon.svg' });
  notification.addEventListener('click', () => {
    window.focus();
    notification.close();
    onClick();
  });
}
