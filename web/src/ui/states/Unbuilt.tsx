import type { ReactNode } from 'react';

import { EmptyState } from './EmptyState.js';

/** TODO: every route with this component is still to be built. It goes before the front end is released. */
export function Unbuilt(): ReactNode {
  return <EmptyState title="Not built yet" />;
}
