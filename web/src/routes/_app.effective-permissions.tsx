import { createFileRoute } from '@tanstack/react-router';

import { EffectivePermissionsPage } from '../features/effective-permissions/EffectivePermissionsPage.js';
import { oneOf } from '../model/search-params.js';

export const Route = createFileRoute('/_app/effective-permissions')({
  validateSearch: (search): { who?: string; what?: string; on?: string } => ({
    who: oneOf(search.who),
    what: oneOf(search.what),
    on: oneOf(search.on),
  }),
  component: EffectivePermissionsPage,
});
