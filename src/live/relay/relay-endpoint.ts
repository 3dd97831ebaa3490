import { Inject, Injectable, Optional, type OnModuleInit } from '@nestjs/common';

import { plainAnswer, UpgradeRouter, type Upgrade } from '#libs/signalr';

import { AuthenticationService } from '../../access/authentication/authentication.service.js';
import { mustChangePassword } from '../../access/authentication/principals/principal.js';
import { DomainError, forbidden, PasswordChangeRequiredError, unauthorized } from '../../platform/common/errors/errors.js';
import { addressBlock } from '../../platform/http/addresses/address-block.js';
import { edgeOf } from '../../platform/http/addresses/edge.js';
import { Origins } from '../../platform/http/addresses/origins.js';
import { refusalAnswer } from '../../platform/http/problems/refusal-answer.js';
import { RefusalLog } from '../../platform/http/problems/refusal-log.js';
import { requestIdOf } from '../../platform/http/request-id.js';
import { handshakeRefusal } from './pipe/handshake.js';
import type { RelayHalf } from './relay-half.js';
import { type Home, RELAY_HOMES, type RelayHomes } from './relay-homes.js';
import { RELAY_PATH } from './relay-path.js';
import { readRelayRequest, RelayRole, type RelayRequest } from './relay-request.js';
import { RelaySessions } from './relay-sessions.js';
import { RelayPairing } from './relay-pairing.js';

const HINT = `Expected: ${RELAY_PATH}?sessionId={guid}&accessToken={token}&timeout={seconds}&role={requester|responder}`;

/** Lets the two sides of a session in. A viewer shows its credential; a device knows the token of the session and shows nothing else. */
@Injectable()
export class RelayEndpoint implements OnModuleInit {
  constructor(
    private readonly upgrades: UpgradeRouter,
    private readonly authentication: AuthenticationService,
    private readonly origins: Origins,
    private readonly refusals: RefusalLog,
    private readonly pairing: RelayPairing,
    private readonly sessions: RelaySessions,
    @Optional() @Inject(RELAY_HOMES) private readonly homes?: RelayHomes,
  ) {}

  onModuleInit(): void {
    this.upgrades.routeTree(RELAY_PATH, (upgrade) => this.arrive(upgrade));
  }

  /** Refuses the halves that wait, ends sessions in which no bytes move, and gives the others so many milliseconds to end. */
  async close(withinMs: number): Promise<void> {
    this.pairing.close();
    await this.sessions.stop(withinMs);
  }

  private async arrive(upgrade: Upgrade): Promise<void> {
    const refusal = handshakeRefusal(upgrade.request);
    if (refusal !== null) return upgrade.refuse(refusal);
    const request = readRelayRequest(upgrade.query);
    if ('invalid' in request) return upgrade.refuse(badRequest(request.invalid));
    // Without a promise to wait for, a half meets its partner in the same turn.
    const home = this.homes === undefined ? null : await this.homeOf(upgrade, request, this.homes);
    if (home !== null) return home.splice(upgrade);
    const half = request.role === RelayRole.Requester ? await this.requester(upgrade, request) : this.responder(upgrade, request);
    if (half === null) return;
    if (request.timeoutSeconds < 0) return upgrade.refuse(badRequest('timeout must not be negative.'));
    this.pairing.enter(half);
  }

  /** The other node that decides about a half; null when this one does, or another one has passed it on. */
  private async homeOf(upgrade: Upgrade, { sessionId }: RelayRequest, homes: RelayHomes): Promise<Home | null> {
    return edgeOf(upgrade.request) === undefined ? homes.find(sessionId) : null;
  }

  private responder(upgrade: Upgrade, request: RelayRequest): RelayHalf {
    return { request, upgrade, principal: null, ...this.originOf(upgrade) };
  }

  /** The viewer's half; null when it was refused. */
  private async requester(upgrade: Upgrade, request: RelayRequest): Promise<RelayHalf | null> {
    const { address, requestId } = this.originOf(upgrade);
    try {
      if (!this.origins.allows(upgrade.request)) throw forbidden('This origin may not connect.');
      const principal = await this.authentication.authenticate(upgrade.request);
      if (principal === null) throw unauthorized('A credential is required.');
      if (mustChangePassword(principal)) throw new PasswordChangeRequiredError();
      return { request, upgrade, principal, address, requestId };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      this.refusals.note(error, { source: addressBlock(address), requestId, path: RELAY_PATH });
      upgrade.refuse(refusalAnswer(error, requestId, this.authentication.challenge));
      return null;
    }
  }

  private originOf({ request }: Upgrade): { readonly address: string; readonly requestId: string } {
    return { address: this.authentication.addressOf(request), requestId: requestIdOf(request) };
  }
}

function badRequest(reason: string): ReturnType<typeof plainAnswer> {
  return plainAnswer(400, `${reason}\n\n${HINT}`);
}
