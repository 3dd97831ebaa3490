import { createFileRoute } from '@tanstack/react-router';

import { PreviewTab } from '../features/device/preview/PreviewTab.js';
import { oneOf } from '../model/search-params.js';

export const Route = createFileRoute('/_app/devices/$deviceId/preview')({
  validateSearch: (search): { process?: string } => ({ process: oneOf(search.process) }),
  component: function Preview() {
    const { process } = Route.useSearch();
    return <PreviewTab process={process} />;
  },
});
