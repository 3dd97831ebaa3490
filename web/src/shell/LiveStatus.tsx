import type { ReactNode } from 'react';

import { ConnectionPill } from './ConnectionPill.js';
import { NewVersion } from './NewVersion.js';

/** State of the live connection, and a notice of a newer version of the pages. */
export const LiveStatus = (): ReactNode => (
  <>
    <NewVersion />
    <ConnectionPill />
  </>
);
