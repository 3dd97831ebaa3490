import { createFileRoute } from '@tanstack/react-router';

import { WelcomePage } from '../features/welcome/WelcomePage.js';

export const Route = createFileRoute('/_app/welcome')({ component: WelcomePage });
