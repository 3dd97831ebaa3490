import { createFileRoute, retainSearchParams } from '@tanstack/react-router';

import { requireSignedIn } from '../access/guards.js';
import { Shell } from '../shell/Shell.js';
import { oneOf } from '../model/search-params.js';

/** Search that every page's address may hold: the customer that the user looks at. It narrows lists down and grants nothing. */
interface Scope {
  readonly customer?: string;
}

/** Every page with the navigation around it: signed-in users only. */
export const Route = createFileRoute('/_app')({
  validateSearch: (search): Scope => ({ customer: oneOf(search.customer) }),
  // Links from page to page keep the customer until the user removes it.
  search: { middlewares: [retainSearchParams<Scope>(['customer'])] },
  beforeLoad: async ({ location }) => ({ session: await requireSignedIn(location.href) }),
  component: Shell,
});
