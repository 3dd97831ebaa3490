import { createFileRoute } from '@tanstack/react-router';

import { DeployPage } from '../features/deploy/DeployPage.js';

export const Route = createFileRoute('/_app/deploy')({ component: DeployPage });
