import { createFileRoute } from '@tanstack/react-router';

import { TerminalTab } from '../features/device/terminal/TerminalTab.js';
import { TerminalWindow } from '../features/device/terminal/TerminalWindow.js';
import { oneOf } from '../search-params.js';

export const Route = createFileRoute('/_app/devices/$deviceId/terminal')({
  validateSearch: (search): { terminal?: number; alone?: string } => {
    const number = Number(oneOf(search.terminal));
    return { terminal: Number.isInteger(number) && number > 0 ? number : undefined, alone: oneOf(search.alone) };
  },
  component: function Terminal() {
    const { terminal, alone } = Route.useSearch();
    return alone === undefined ? <TerminalTab number={terminal} /> : <TerminalWindow id={alone} />;
  },
});
