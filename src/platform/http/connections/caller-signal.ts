import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';

import { DomainError, ErrorCode } from '../../common/errors/errors.js';

/** Signal that fires when the caller leaves before it was answered, so that no work is done for it any more. */
export const CallerSignal = createParamDecorator((_data: unknown, execution: ExecutionContext): AbortSignal => {
  const response = execution.switchToHttp().getResponse<Response>();
  const gone = new AbortController();
  response.once('close', () => {
    // Nobody reads the refusal.
    if (!response.writableFinished) gone.abort(new DomainError(ErrorCode.Unavailable, 'The caller left.'));
  });
  return gone.signal;
});
