import { lazy, type ReactNode, Suspense } from 'react';

import { useNeededProof } from '../../access/proof.js';
import { useFirstOpening } from '../../ui/dialog/first-opening.js';
import { useFailedProof } from './failed-proof.js';

const load = async (): Promise<typeof import('./ProofDialog.js')> => import('./ProofDialog.js');
const ProofDialog = lazy(async () => ({ default: (await load()).ProofDialog }));

/** Asks for a proof of who one is when a request needs one, and says why one that was given elsewhere failed. */
export function Proof(): ReactNode {
  useFailedProof();
  const isNeeded = useNeededProof() !== null;
  if (!useFirstOpening(isNeeded, load)) return null;
  return (
    <Suspense>
      <ProofDialog />
    </Suspense>
  );
}
