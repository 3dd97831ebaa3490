import { Injectable } from '@nestjs/common';
import type { Request as ExpressRequest } from 'express';

import { forbidden, KeyPendingError, KeyReplacedError } from '../../../platform/common/errors/errors.js';
import type { PermissionDefinition } from '../permissions/permission.js';
import { StandingRights, type EndCause } from './standing-rights.js';

/** Ends transfers over HTTP within a second after the right that opened their route: a download, an upload, a listing, a picture. */
@Injectable()
export class TransferRights {
  constructor(private readonly rights: StandingRights) {}

  /**
   * A signal that fires, with the refusal as its reason, when the permission on the device or the credential of a request has ended, or
   * when another key speaks for the device, or none. It is watched until the response has closed.
   */
  endOf(request: ExpressRequest): AbortSignal {
    const { context, deviceRight: device, res: response } = request;
    if (context === undefined || device === undefined) throw new Error('The route is not opened by a permission on a device.');
    const ended = new AbortController();
    if (response === undefined || response.closed) return ended.signal;
    const { principal } = context;
    const end = (cause: EndCause): void => ended.abort(errorOf(cause, device.permission));
    const standing = { principal, device, end };
    this.rights.hold(standing);
    response.once('close', () => this.rights.release(standing));
    return ended.signal;
  }
}

function errorOf(cause: EndCause, permission: PermissionDefinition): Error {
  switch (cause) {
    case 'right':
      return rightEnded(permission);
    case 'key pending':
      return new KeyPendingError();
    case 'key replaced':
      return new KeyReplacedError();
  }
}

function rightEnded({ name }: PermissionDefinition): Error {
  return forbidden(`The right to this transfer has ended: ${name} is required.`);
}

declare module 'express-serve-static-core' {
  interface Request {
    /** The permission on a device that opened the route, set by the access guard. */
    deviceRight?: { readonly id: string; readonly permission: PermissionDefinition };
  }
}
