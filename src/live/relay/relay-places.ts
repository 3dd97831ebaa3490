import { Injectable } from '@nestjs/common';

import { callerIdOf, shareOf } from '../../access/authentication/principals/principal.js';
import { KeyedCounter } from '../../platform/common/collections/keyed-counter.js';
import { Shares } from '../../platform/common/concurrency/shares.js';
import { addressBlock } from '../../platform/http/addresses/address-block.js';
import { isRequester, type RelayHalf, type RequesterHalf } from './relay-half.js';
import { RelayLimits } from './relay-limits.js';
import { RequestedSessions } from './requested-sessions.js';

/** Gives back what a half occupies. Only the first call counts. */
export type Release = () => void;

/** The places of the relay that halves occupy. Tenants share them: no tenant takes more than half beside others. */
@Injectable()
export class RelayPlaces {
  private readonly sockets: Shares;
  private readonly principals = new KeyedCounter();
  private readonly unexpectedRequesters: Shares;
  private readonly unexpectedPrincipals = new KeyedCounter();
  private unexpectedResponders = 0;
  private readonly addresses = new KeyedCounter();

  constructor(
    private readonly limits: RelayLimits,
    private readonly requested: RequestedSessions,
  ) {
    this.sockets = new Shares(() => limits.sockets);
    this.unexpectedRequesters = new Shares(() => limits.unexpectedRequesters);
  }

  /**
   * A place for a half that waits or is connected; null when there is none. A responder of a session that was not requested needs none
   * here: few of them wait, and each that is connected has a requester.
   */
  take(half: RelayHalf): Release | null {
    const { limits, principals, sockets } = this;
    const share = isRequester(half) ? shareOf(half.principal) : this.requested.shareOf(half.request.sessionId);
    if (share === undefined) return () => undefined;
    const caller = isRequester(half) ? callerIdOf(half.principal) : null;
    if (caller !== null && principals.of(caller) >= limits.requestersOfPrincipal) return null;
    if (!sockets.take(share)) return null;
    if (caller !== null) principals.add(caller, 1);
    return once(() => {
      sockets.give(share);
      if (caller !== null) principals.add(caller, -1);
    });
  }

  /** An additional place for a half that waits before its session is requested; null when there is none. */
  takeUnexpected(half: RelayHalf): Release | null {
    return isRequester(half) ? this.takeUnexpectedRequester(half) : this.takeUnexpectedResponder(half.address);
  }

  private takeUnexpectedRequester({ principal }: RequesterHalf): Release | null {
    const { limits, unexpectedPrincipals, unexpectedRequesters } = this;
    const [caller, share] = [callerIdOf(principal), shareOf(principal)];
    if (unexpectedPrincipals.of(caller) >= limits.unexpectedRequestersOfPrincipal || !unexpectedRequesters.take(share)) return null;
    unexpectedPrincipals.add(caller, 1);
    return once(() => {
      unexpectedRequesters.give(share);
      unexpectedPrincipals.add(caller, -1);
    });
  }

  private takeUnexpectedResponder(address: string): Release | null {
    const { limits, addresses } = this;
    const block = addressBlock(address);
    if (this.unexpectedResponders >= limits.unexpectedResponders || addresses.of(block) >= limits.unexpectedRespondersOfAddress)
      return null;
    this.unexpectedResponders += 1;
    addresses.add(block, 1);
    return once(() => {
      this.unexpectedResponders -= 1;
      addresses.add(block, -1);
    });
  }
}

function once(work: () => void): Release {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}
