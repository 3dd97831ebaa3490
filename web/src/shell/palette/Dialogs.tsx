import { lazy, type ReactNode, Suspense } from 'react';

import { paletteDialog } from './dialog.js';

const ActRun = lazy(async () => ({ default: (await import('../../features/devices/acts/ActRun.js')).ActRun }));
const Invitation = lazy(async () => ({ default: (await import('./Invitation.js')).Invitation }));

/** What a choice of the palette opened: the questions and results of an act on a device, or an invitation. */
export function Dialogs(): ReactNode {
  const dialog = paletteDialog.useValue();
  const close = (): void => paletteDialog.set(null);
  if (dialog === null) return null;
  return <Suspense>{dialog.kind === 'act' ? <ActRun wish={dialog.wish} onOver={close} /> : <Invitation key={dialog.at} />}</Suspense>;
}
