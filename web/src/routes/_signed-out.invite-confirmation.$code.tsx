import { createFileRoute } from '@tanstack/react-router';

import { InvitationPage } from '../features/sign-in/InvitationPage.js';

export const Route = createFileRoute('/_signed-out/invite-confirmation/$code')({ component: InvitationPage });
