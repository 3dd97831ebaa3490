import { createFileRoute } from '@tanstack/react-router';

import { ConfirmEmailPage } from '../features/sign-in/ConfirmEmailPage.js';

export const Route = createFileRoute('/_signed-out/confirm-email')({ component: ConfirmEmailPage });
