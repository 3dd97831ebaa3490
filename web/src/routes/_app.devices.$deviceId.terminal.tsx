import { createFileRoute } from '@tanstack/react-router';

import { TerminalTab } from '../features/device/terminal/TerminalTab.js';
import { TerminalWindow } from '../features/device/terminal/TerminalWindow.js';
import { numberOf, oneOf } from '../model/search-params.js';

export const Route = createFileRoute('/_app/devices/$deviceId/terminal')({
  validateSearch: (search): { terminal?: number; alone?: string } => ({
    terminal: numberOf(search.terminal),
    alone: oneOf(search.alone),
  }),
  component: function Terminal() {
    const { terminal, alone } = Route.useSearch();
    return alone === undefined ? <TerminalTab number={terminal} /> : <TerminalWindow id={alone} />;
  },
});
