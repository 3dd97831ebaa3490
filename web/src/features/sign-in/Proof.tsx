import { lazy, type ReactNode, Suspense } from 'react';

import { useNeededProof } from '../../access/proof.js';
import { useFirstOpening } from '../../ui/dialog/first-opening.js';

const load = async (): Promise<typeof import('./ProofDialog.js')> => import('./ProofDialog.js');
const ProofDialog = lazy(async () => ({ default: (await load()).ProofDialog }));

/** Asks for a proof of who one is when a request needs one. */
export function Proof(): ReactNode {
  const isNeeded = useNeededProof() !== null;
  if (!useFirstOpening(isNeeded, load)) return null;
  return (
    <Suspense>
      <ProofDialog />
    </Suspense>
  );
}
