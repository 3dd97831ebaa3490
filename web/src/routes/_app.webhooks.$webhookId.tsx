import { createFileRoute } from '@tanstack/react-router';

import { WebhookPage } from '../features/webhooks/WebhookPage.js';

export const Route = createFileRoute('/_app/webhooks/$webhookId')({
  component: function Webhook() {
    const { webhookId } = Route.useParams();
    return <WebhookPage key={webhookId} webhookId={webhookId} />;
  },
});
