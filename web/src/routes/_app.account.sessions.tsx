import { createFileRoute } from '@tanstack/react-router';

import { SessionsPage } from '../features/account/SessionsPage.js';

export const Route = createFileRoute('/_app/account/sessions')({ component: SessionsPage });
