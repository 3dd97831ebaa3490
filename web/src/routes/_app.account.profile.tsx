import { createFileRoute } from '@tanstack/react-router';

import { ProfilePage } from '../features/account/ProfilePage.js';

export const Route = createFileRoute('/_app/account/profile')({ component: ProfilePage });
