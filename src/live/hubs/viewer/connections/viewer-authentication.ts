import type { IncomingMessage } from 'node:http';

import type { Request } from 'express';

import type { Authentication, HttpAnswer } from '#libs/signalr';

import type { AuthenticationService } from '../../../../access/authentication/authentication.service.js';
import { callerIdOf, idOf, mustChangePassword, type Principal } from '../../../../access/authentication/principals/principal.js';
import { VIEWER_HUB_PATH } from '../../../../platform/common/addresses/hub-paths.js';
import { DomainError, PasswordChangeRequiredError, unauthorized } from '../../../../platform/common/errors/errors.js';
import { addressBlock } from '../../../../platform/http/addresses/address-block.js';
import type { FairShares } from '../../../../platform/http/connections/fair-shares.js';
import type { UnauthenticatedConnections } from '../../../../platform/http/connections/unauthenticated-connections.js';
import { refusalAnswer } from '../../../../platform/http/problems/refusal-answer.js';
import type { RefusalLog } from '../../../../platform/http/problems/refusal-log.js';
import { requestIdOf } from '../../../../platform/http/request-id.js';
import type { ViewerPlaces } from './viewer-places.js';

/** Every caller with a valid credential may connect to the viewer hub. Its calls are authorized one by one (`viewer-calls.ts`). */
export class ViewerAuthentication {
  constructor(
    private readonly authentication: AuthenticationService,
    private readonly refusals: RefusalLog,
    private readonly shares: FairShares,
    private readonly unauthenticated: UnauthenticatedConnections,
    private readonly places: ViewerPlaces,
  ) {}

  /** Finds out the caller that negotiates, connects, polls or sends, or the refusal of its request. */
  async authenticate(request: IncomingMessage): Promise<Authentication> {
    try {
      const principal = isPlain(request) ? await this.inTurn(request) : await this.authentication.authenticate(request);
      if (principal === null) throw unauthorized('A credential is required.');
      if (mustChangePassword(principal)) throw new PasswordChangeRequiredError();
      this.unauthenticated.release(request.socket);
      return { accept: true, user: principal, userId: idOf(principal) ?? '' };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return this.refuse(error, request);
    }
  }

  /**
   * Authenticates a request among the others of its address. Afterwards it has no place any more: a poll or an event stream mostly waits,
   * and what a connection sends is limited by the hub.
   */
  private async inTurn(request: Request): Promise<Principal | null> {
    await this.shares.ofUnknown(request);
    try {
      return await this.authentication.authenticate(request);
    } finally {
      request.place?.close();
    }
  }

  /** The reason why a caller cannot have another connection now; undefined when it can. */
  refusalOf(principal: Principal, request: IncomingMessage): HttpAnswer | undefined {
    const error = this.places.refusalOf(principal);
    if (error === null) return undefined;
    const requestId = requestIdOf(request);
    this.refusals.log('A connection was refused.', error.message, { source: callerIdOf(principal), requestId, path: VIEWER_HUB_PATH });
    return refusalAnswer(error, requestId);
  }

  private refuse(error: DomainError, request: IncomingMessage): Authentication {
    this.refusals.note(error, {
      source: addressBlock(this.authentication.addressOf(request)),
      requestId: requestIdOf(request),
      path: VIEWER_HUB_PATH,
    });
    return { accept: false, ...refusalAnswer(error, requestIdOf(request), this.authentication.challenge) };
  }
}

/** Checks that it is a request of Express, in contrast to an upgrade. */
function isPlain(request: IncomingMessage): request is Request {
  return 'res' in request;
}
