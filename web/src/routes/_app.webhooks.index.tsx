import { createFileRoute } from '@tanstack/react-router';

import { WebhooksPage } from '../features/webhooks/WebhooksPage.js';

export const Route = createFileRoute('/_app/webhooks/')({ component: WebhooksPage });
