import { Injectable } from '@nestjs/common';

import { Settings } from '../../platform/config/settings.js';
import { relayAddressProblem, type RelayPlace } from './relay-address.js';

/** Checks the addresses at which viewers let devices join sessions: the public one and those of allowed pages, or the one they called. */
@Injectable()
export class RelayAddresses {
  private readonly publicPlace: RelayPlace | null;
  private readonly pageHosts: readonly string[];

  constructor({ appOptions: { publicUrl, enableCors, corsAllowedOrigins } }: Settings) {
    this.pageHosts = enableCors ? corsAllowedOrigins.filter((origin) => URL.canParse(origin)).map((origin) => new URL(origin).host) : [];
    this.publicPlace = publicUrl === '' ? null : placeOf(new URL(publicUrl), this.pageHosts);
  }

  /**
   * The fault in the address that a viewer gives for a session; null if there is none. `calledHost` is the host by which the viewer reached
   * the service. It counts while no public address is configured.
   */
  problemOf({ websocketUri, sessionId }: { readonly websocketUri: string; readonly sessionId: string }, calledHost: string): string | null {
    const place = this.publicPlace ?? { hosts: [calledHost, ...this.pageHosts], basePath: '' };
    return relayAddressProblem(websocketUri, sessionId, place);
  }
}

function placeOf({ host, pathname }: URL, pageHosts: readonly string[]): RelayPlace {
  return { hosts: [host, ...pageHosts], basePath: pathname.replace(/\/$/, '') };
}
