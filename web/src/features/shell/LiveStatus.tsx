import type { ReactNode } from 'react';

import { ConnectionPill } from './ConnectionPill.js';
import { NewVersion } from './NewVersion.js';

/** Whether the page shows what is now, and whether it is the newest one. */
export const LiveStatus = (): ReactNode => (
  <>
    <NewVersion />
    <ConnectionPill />
  </>
);
