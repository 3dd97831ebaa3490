import { Injectable } from '@nestjs/common';

import { unauthorized } from '../../common/errors.js';
import type { Principal } from '../principal.js';
import { Scheme } from '../scheme-selection.js';
import type { AuthenticationScheme } from './authentication-scheme.js';

/**
 * `Authorization: Bearer <token>`, read only with EnableInteractiveBearerLogin. The service does not issue such tokens
 * yet, so each is refused.
 */
@Injectable()
export class BearerScheme implements AuthenticationScheme {
  readonly scheme = Scheme.Bearer;

  authenticate(): Promise<Principal> {
    return Promise.reject(unauthorized('The bearer token is not valid.'));
  }
}
