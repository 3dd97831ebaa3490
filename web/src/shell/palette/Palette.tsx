import { lazy, type ReactNode, Suspense } from 'react';

import { useShortcuts } from '../../keyboard/use-shortcuts.js';
import { useOpener } from '../../ui/dialog/opener.js';
import { useFirstOpening } from '../../ui/dialog/first-opening.js';
import { Dialogs } from './Dialogs.js';
import { loadPalette, palette } from './palette.js';

const PaletteSurface = lazy(async () => ({ default: (await loadPalette()).PaletteSurface }));

/** Goes to a device or a page, or does something, by a few letters. Stands once; its code comes with the first opening. */
export function Palette(): ReactNode {
  const isOpen = palette.useIsOpen();
  const opener = useOpener(isOpen);
  const wasOpened = useFirstOpening(isOpen, loadPalette);
  useShortcuts({ palette: palette.open });
  return (
    wasOpened && (
      <Suspense>
        <PaletteSurface open={isOpen} onClose={palette.close} opener={opener} />
        <Dialogs />
      </Suspense>
    )
  );
}
