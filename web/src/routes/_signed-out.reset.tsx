import { createFileRoute } from '@tanstack/react-router';

import { ResetPage } from '../features/sign-in/ResetPage.js';

export const Route = createFileRoute('/_signed-out/reset')({ component: ResetPage });
