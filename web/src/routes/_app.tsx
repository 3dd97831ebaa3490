import { createFileRoute } from '@tanstack/react-router';

import { requireSignedIn } from '../access/guards.js';
import { Shell } from '../features/shell/Shell.js';

/** Every page with the navigation around it: signed-in users only. */
export const Route = createFileRoute('/_app')({
  beforeLoad: async ({ location }) => ({ session: await requireSignedIn(location.href) }),
  component: Shell,
});
