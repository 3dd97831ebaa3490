import type { ReactNode } from 'react';

import { EmptyState } from './EmptyState.js';

/** TODO: every route with this component is still to be built. It goes before the front end is released. */
export function Unbuilt(): ReactNode {
  return <EmptyState title={<h1>Not built yet</h1>} />;
}
