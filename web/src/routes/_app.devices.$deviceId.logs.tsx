import { createFileRoute } from '@tanstack/react-router';

import { LogsTab } from '../features/device/logs/LogsTab.js';
import { oneOf } from '../model/search-params.js';

export const Route = createFileRoute('/_app/devices/$deviceId/logs')({
  validateSearch: (search): { file?: string; q?: string } => ({ file: oneOf(search.file), q: oneOf(search.q) }),
  component: function Logs() {
    const { file, q } = Route.useSearch();
    return <LogsTab file={file} filter={q ?? ''} />;
  },
});
