import { createFileRoute } from '@tanstack/react-router';

import { Unbuilt } from '../ui/states/Unbuilt.js';

export const Route = createFileRoute('/_app/device-groups/$deviceGroupId')({ component: Unbuilt });
