import type { HttpAnswer } from '#libs/signalr';

import type { DomainError } from '../../common/errors/errors.js';
import { REQUEST_ID_HEADER } from '../request-id.js';
import { PROBLEM_MEDIA_TYPE, refusalOf } from './problem-details.js';

/**
 * The answer to an upgrade or negotiate request that a domain error refuses: Problem Details, as for any other request. `challenge` names
 * the schemes that a 401 offers.
 */
export function refusalAnswer(error: DomainError, requestId: string, challenge?: string): HttpAnswer {
  const { headers, problem } = refusalOf(error, challenge);
  return {
    status: problem.status,
    headers: { 'Content-Type': PROBLEM_MEDIA_TYPE, [REQUEST_ID_HEADER]: requestId, ...headers },
    body: JSON.stringify(problem),
  };
}
