import { lazy, type ReactNode, Suspense } from 'react';

import { useShortcuts } from '../../keyboard/use-shortcuts.js';
import { useFirstOpening } from '../../ui/dialog/first-opening.js';
import { sheet } from '../../keyboard/sheet.js';

const load = async (): Promise<typeof import('./ShortcutSheet.js')> => import('./ShortcutSheet.js');
const ShortcutSheet = lazy(async () => ({ default: (await load()).ShortcutSheet }));

/** Shows every shortcut. Stands once; its code comes with the first opening. */
export function Sheet(): ReactNode {
  const isOpen = sheet.useIsOpen();
  const wasOpened = useFirstOpening(isOpen, load);
  useShortcuts({ sheet: sheet.open });
  return (
    wasOpened && (
      <Suspense>
        <ShortcutSheet open={isOpen} />
      </Suspense>
    )
  );
}
