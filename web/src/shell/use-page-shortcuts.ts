import { useRouter } from '@tanstack/react-router';

import { useSession } from '../access/session.js';
import { type Handlers, useShortcuts } from '../keyboard/use-shortcuts.js';
import { palette } from './palette/palette.js';
import { navigationFor } from './navigation.js';
import { moveToRegion } from './regions.js';

/** Keys that hold on every page: to its parts, to its search, and to other pages. */
export function usePageShortcuts(): void {
  const router = useRouter();
  const session = useSession();
  // A session that reaches one device has no other pages.
  const entries = session.deviceId === null ? navigationFor(session).flatMap((group) => group.entries) : [];
  const jumps = entries.flatMap(({ to, shortcut }): [string, () => void][] =>
    shortcut === undefined ? [] : [[shortcut, () => void router.navigate({ to })]],
  );
  useShortcuts({
    ...(Object.fromEntries(jumps) as Handlers),
    search: () => {
      const field = document.querySelector<HTMLInputElement>('[data-page-search]:not(:disabled)');
      // A page without a search of its own opens the palette.
      if (field === null) palette.open();
      else field.focus();
    },
    'next-region': () => moveToRegion(1),
    'previous-region': () => moveToRegion(-1),
  });
}
