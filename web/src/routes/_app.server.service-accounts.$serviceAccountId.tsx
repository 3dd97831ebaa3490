import { createFileRoute } from '@tanstack/react-router';

import { Unbuilt } from '../ui/states/Unbuilt.js';

export const Route = createFileRoute('/_app/server/service-accounts/$serviceAccountId')({ component: Unbuilt });
