import type { ReactNode } from 'react';

import { ConnectionPill } from './ConnectionPill.js';
import { NewVersion } from './NewVersion.js';

/** Whether the page is live, and whether the service has a newer version of it. */
export const LiveStatus = (): ReactNode => (
  <>
    <NewVersion />
    <ConnectionPill />
  </>
);
