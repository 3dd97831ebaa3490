import { createFileRoute } from '@tanstack/react-router';

import { TerminalTab } from '../features/device/terminal/TerminalTab.js';
import { oneOf } from '../search-params.js';

export const Route = createFileRoute('/_app/devices/$deviceId/terminal')({
  validateSearch: (search): { terminal?: number } => {
    const number = Number(oneOf(search.terminal));
    return Number.isInteger(number) && number > 0 ? { terminal: number } : {};
  },
  component: function Terminal() {
    const { terminal } = Route.useSearch();
    return <TerminalTab number={terminal} />;
  },
});
