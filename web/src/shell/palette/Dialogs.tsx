import { lazy, type ReactNode, Suspense } from 'react';

import { endAct, paletteActs, paletteInvitation } from './dialog.js';

const ActRun = lazy(async () => ({ default: (await import('../../features/devices/acts/ActRun.js')).ActRun }));
const Invitation = lazy(async () => ({ default: (await import('./Invitation.js')).Invitation }));

/** The dialogs of the palette: questions and results of actions on devices, and an invitation. */
export function Dialogs(): ReactNode {
  const invitation = paletteInvitation.useValue();
  const acts = paletteActs.useValue();
  return (
    <>
      <Suspense>{invitation !== null && <Invitation key={invitation} />}</Suspense>
      <Suspense>
        {acts.map((wish) => (
          <ActRun key={wish.id} wish={wish} onOver={() => endAct(wish)} />
        ))}
      </Suspense>
    </>
  );
}
