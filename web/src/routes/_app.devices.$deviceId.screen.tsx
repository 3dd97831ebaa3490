import { createFileRoute } from '@tanstack/react-router';

import { ScreenTab } from '../features/device/screen/ScreenTab.js';
import { oneOf } from '../model/search-params.js';

export const Route = createFileRoute('/_app/devices/$deviceId/screen')({
  validateSearch: (search): { port?: string } => ({ port: oneOf(search.port) }),
  component: function Screen() {
    const { port } = Route.useSearch();
    return <ScreenTab port={port} />;
  },
});
