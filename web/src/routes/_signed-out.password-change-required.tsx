import { createFileRoute } from '@tanstack/react-router';

import { ChangePasswordPage } from '../features/sign-in/ChangePasswordPage.js';

export const Route = createFileRoute('/_signed-out/password-change-required')({ component: ChangePasswordPage });
