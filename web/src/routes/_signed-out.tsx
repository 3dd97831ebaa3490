import { createFileRoute } from '@tanstack/react-router';

import { SignedOutLayout } from '../features/sign-in/SignedOutLayout.js';

/** Pages with one narrow column, for people who are not signed in or cannot continue yet. */
export const Route = createFileRoute('/_signed-out')({ component: SignedOutLayout });
