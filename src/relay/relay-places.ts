import { Injectable } from '@nestjs/common';

import { callerIdOf } from '../authentication/principal.js';
import { Tally } from '../common/tally.js';
import { addressBlock } from '../http/address-block.js';
import { RelayLimits } from './relay-limits.js';
import { isRequester, type RelayHalf } from './relay-half.js';

/** Gives back what a half occupies. Only the first call counts. */
export type Release = () => void;

/** What the halves of the relay occupy. */
@Injectable()
export class RelayPlaces {
  private sockets = 0;
  private unexpected = 0;
  private readonly principals = new Tally();
  private readonly addresses = new Tally();

  constructor(private readonly limits: RelayLimits) {}

  /** A place for a half that waits or is connected; null when there is none. */
  take(half: RelayHalf): Release | null {
    const { limits, principals } = this;
    if (this.sockets >= limits.sockets) return null;
    const caller = isRequester(half) ? callerIdOf(half.principal) : null;
    if (caller !== null && principals.of(caller) >= limits.requestersOfPrincipal) return null;
    this.sockets += 1;
    if (caller !== null) principals.add(caller, 1);
    return once(() => {
      this.sockets -= 1;
      if (caller !== null) principals.add(caller, -1);
    });
  }

  /** In addition, a place for a responder that waits although nobody has asked for its session; null when there is none. */
  takeUnexpected({ address }: RelayHalf): Release | null {
    const { limits, addresses } = this;
    const block = addressBlock(address);
    if (this.unexpected >= limits.unexpectedResponders || addresses.of(block) >= limits.unexpectedRespondersOfAddress) return null;
    this.unexpected += 1;
    addresses.add(block, 1);
    return once(() => {
      this.unexpected -= 1;
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
