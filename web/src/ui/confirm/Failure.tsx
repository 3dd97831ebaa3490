import type { ReactNode } from 'react';

import { Banner } from '../banner/Banner.js';
import { ProblemText } from '../states/ProblemText.js';
import { WhyLink } from '../states/WhyLink.js';

/** Error of an attempt, above the question it was about. */
export function Failure({ error }: { readonly error: unknown }): ReactNode {
  if (error === undefined || error === null) return null;
  return (
    <Banner look="bad">
      <ProblemText error={error} /> <WhyLink error={error} />
    </Banner>
  );
}
