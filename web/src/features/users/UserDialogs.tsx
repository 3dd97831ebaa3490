import { lazy, type ReactNode, Suspense } from 'react';

import { useFirstOpening } from '../../ui/dialog/first-opening.js';
import type { UserDialogsProps } from './UserDialogForms.js';

const load = async (): Promise<typeof import('./UserDialogForms.js')> => import('./UserDialogForms.js');
const UserDialogForms = lazy(async () => ({ default: (await load()).UserDialogForms }));

/** The dialogs of the acts on a user. Their code comes once the page is at rest, or when the first one opens. */
export function UserDialogs(props: UserDialogsProps): ReactNode {
  if (!useFirstOpening(props.chosen !== null, load)) return null;
  return (
    <Suspense>
      <UserDialogForms {...props} />
    </Suspense>
  );
}
