import { createFileRoute } from '@tanstack/react-router';

import { ScreenTab } from '../features/device/screen/ScreenTab.js';
import { oneOf } from '../model/search-params.js';

export const Route = createFileRoute('/_app/devices/$deviceId/screen')({
  validateSearch: (search): { port?: string; process?: string } => ({ port: oneOf(search.port), process: oneOf(search.process) }),
  component: function Screen() {
    return <ScreenTab {...Route.useSearch()} />;
  },
});
