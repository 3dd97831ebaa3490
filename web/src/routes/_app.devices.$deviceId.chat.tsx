import { createFileRoute } from '@tanstack/react-router';

import { ChatTab } from '../features/device/chat/ChatTab.js';
import { oneOf } from '../model/search-params.js';

export const Route = createFileRoute('/_app/devices/$deviceId/chat')({
  validateSearch: (search): { process?: string } => ({ process: oneOf(search.process) }),
  component: function Chat() {
    const { process } = Route.useSearch();
    return <ChatTab process={process} />;
  },
});
