import { createFileRoute } from '@tanstack/react-router';

import { DesktopWindow } from '../features/device/screen/DesktopWindow.js';
import { ScreenTab } from '../features/device/screen/ScreenTab.js';
import { oneOf } from '../model/search-params.js';

export const Route = createFileRoute('/_app/devices/$deviceId/screen')({
  validateSearch: (search): { port?: string; process?: string; alone?: string } => ({
    port: oneOf(search.port),
    process: oneOf(search.process),
    alone: oneOf(search.alone),
  }),
  component: function Screen() {
    const { alone, ...choice } = Route.useSearch();
    return alone === undefined ? <ScreenTab {...choice} /> : <DesktopWindow />;
  },
});
