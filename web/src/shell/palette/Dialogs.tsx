import { lazy, type ReactNode, Suspense } from 'react';

import { paletteDialog } from './dialog.js';

const ActRun = lazy(async () => ({ default: (await import('../../features/devices/acts/ActRun.js')).ActRun }));
const Invitation = lazy(async () => ({ default: (await import('./Invitation.js')).Invitation }));

/** The dialogs of the palette: questions and results of an action on a device, or an invitation. */
export function Dialogs(): ReactNode {
  const dialog = paletteDialog.useValue();
  const close = (): void => paletteDialog.set(null);
  if (dialog === null) return null;
  return <Suspense>{dialog.kind === 'act' ? <ActRun wish={dialog.wish} onOver={close} /> : <Invitation key={dialog.at} />}</Suspense>;
}
