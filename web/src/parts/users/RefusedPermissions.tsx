import type { ReactNode } from 'react';

import { Banner } from '../../ui/banner/Banner.js';
import { ProblemText } from '../../ui/states/ProblemText.js';
import { WhyLink } from '../../ui/states/WhyLink.js';
import type { Invited } from './InviteForm.js';
import { t } from './texts.js';

/** Says that an invited person did not get the chosen permissions, and why. */
export function RefusedPermissions({ of: { refusal } }: { readonly of: Invited }): ReactNode {
  if (refusal === null) return null;
  return (
    <Banner look="bad">
      {t('invited-without')} <ProblemText error={refusal} /> <WhyLink error={refusal} target="_blank" />
    </Banner>
  );
}
