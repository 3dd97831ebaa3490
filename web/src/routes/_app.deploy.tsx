import { createFileRoute } from '@tanstack/react-router';

import type { DeployChoice } from '../features/deploy/deploy-choice.js';
import { DeployPage } from '../features/deploy/DeployPage.js';
import { oneOf } from '../model/search-params.js';

export const Route = createFileRoute('/_app/deploy')({
  validateSearch: ({ key, os }): DeployChoice => ({ key: oneOf(key), os: oneOf(os) }),
  component: DeployPage,
});
