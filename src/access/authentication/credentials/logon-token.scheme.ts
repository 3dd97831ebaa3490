import { Injectable } from '@nestjs/common';

import { unauthorized } from '../../../platform/common/errors/errors.js';
import type { Principal } from '../principals/principal.js';
import type { AuthenticationScheme } from '../schemes/authentication-scheme.js';
import { Scheme } from '../schemes/scheme-selection.js';

/**
 * `?logonToken=<token>&deviceId=<id>` on the device access page. That page exchanges the token for a session (`logon-tokens/`), and is the
 * only one to read it: the token is refused as the credential of a request.
 */
@Injectable()
export class LogonTokenScheme implements AuthenticationScheme {
  readonly scheme = Scheme.LogonToken;

  authenticate(): Promise<Principal> {
    return Promise.reject(unauthorized('The logon token is not valid.'));
  }
}
