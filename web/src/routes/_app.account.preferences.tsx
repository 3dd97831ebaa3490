import { createFileRoute } from '@tanstack/react-router';

import { PreferencesPage } from '../features/account/PreferencesPage.js';

export const Route = createFileRoute('/_app/account/preferences')({ component: PreferencesPage });
