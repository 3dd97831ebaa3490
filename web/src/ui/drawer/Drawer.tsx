import { lazy, type ReactNode, Suspense } from 'react';

import { useFirstOpening } from '../dialog/first-opening.js';
import { useOpener } from '../dialog/opener.js';
import type { DrawerProps } from './DrawerSurface.js';

const load = async (): Promise<typeof import('./DrawerSurface.js')> => import('./DrawerSurface.js');
const DrawerSurface = lazy(async () => ({ default: (await load()).DrawerSurface }));

/** Details or a longer form at the side of the page; on a phone a sheet from the bottom. */
export function Drawer(props: DrawerProps): ReactNode {
  const opener = useOpener(props.open);
  const wasOpened = useFirstOpening(props.open, load);
  if (!wasOpened) return null;
  return (
    <Suspense fallback={<span hidden aria-busy />}>
      <DrawerSurface {...props} opener={opener} />
    </Suspense>
  );
}
