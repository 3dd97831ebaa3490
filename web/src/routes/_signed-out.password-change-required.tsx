import { createFileRoute } from '@tanstack/react-router';

import { Unbuilt } from '../ui/states/Unbuilt.js';

export const Route = createFileRoute('/_signed-out/password-change-required')({ component: Unbuilt });
