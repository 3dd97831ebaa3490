import type { ReactNode } from 'react';

import { useShown } from '../dialog/shown.js';
import { type ActProps, useConfirmed } from './act.js';
import { Confirm } from './Confirm.js';

/** Takes back a way in: a session, a login, an invitation, a key. It can be given again, so that no name has to be typed. */
export function RevokeDialog<T>(props: ActProps<T>): ReactNode {
  const { opening, ...shown } = useShown(props.subject);
  return <Question key={opening} {...props} {...shown} />;
}

function Question<T>(props: ActProps<T> & { readonly isOpen: boolean }): ReactNode {
  return <Confirm look="danger" {...useConfirmed(props)} />;
}
