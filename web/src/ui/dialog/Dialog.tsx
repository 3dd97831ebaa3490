import { lazy, type ReactNode, Suspense } from 'react';

import type { DialogProps } from './DialogSurface.js';
import { useFirstOpening } from './first-opening.js';
import { useOpener } from './opener.js';

const load = async (): Promise<typeof import('./DialogSurface.js')> => import('./DialogSurface.js');
const DialogSurface = lazy(async () => ({ default: (await load()).DialogSurface }));

/** A question or a small form over the page. Focus stays in it and returns to where it was. */
export function Dialog(props: DialogProps): ReactNode {
  const opener = useOpener(props.open);
  const wasOpened = useFirstOpening(props.open, load);
  if (!wasOpened) return null;
  return (
    <Suspense>
      <DialogSurface {...props} opener={opener} />
    </Suspense>
  );
}
