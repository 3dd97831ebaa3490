import type { ReactNode } from 'react';

import type { ActProps } from './act.js';
import { ActDialog } from './ActDialog.js';

/** Takes back a way in: a session, a login, an invitation, a key. It can be given again, so that no name has to be typed. */
export const RevokeDialog = <T,>(props: ActProps<T>): ReactNode => <ActDialog {...props} />;
