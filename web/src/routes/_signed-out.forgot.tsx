import { createFileRoute } from '@tanstack/react-router';

import { ForgotPage } from '../features/sign-in/ForgotPage.js';

export const Route = createFileRoute('/_signed-out/forgot')({ component: ForgotPage });
