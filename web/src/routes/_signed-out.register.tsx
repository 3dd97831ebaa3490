import { createFileRoute } from '@tanstack/react-router';

import { RegisterPage } from '../features/sign-in/RegisterPage.js';

export const Route = createFileRoute('/_signed-out/register')({ component: RegisterPage });
