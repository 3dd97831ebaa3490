import { createFileRoute } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';

import type { DeployChoice } from '../features/deploy/deploy-choice.js';
import { DeployPanel } from '../features/deploy/DeployPage.js';
import { WelcomePage } from '../features/welcome/WelcomePage.js';

export const Route = createFileRoute('/_app/welcome')({ component: () => <WelcomePage deploy={<Deploy />} /> });

/** Puts the agent on devices. The address keeps no choices. */
function Deploy(): ReactNode {
  const [choice, setChoice] = useState<DeployChoice>({});
  return <DeployPanel choice={choice} onChoose={(change) => setChoice({ ...choice, ...change })} />;
}
