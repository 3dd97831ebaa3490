import { Injectable } from '@nestjs/common';

import { conflict } from '../../platform/common/errors/errors.js';
import { Settings } from '../../platform/config/settings.js';
import { domainOf } from '../../platform/http/addresses/domain-name.js';
import { Origins } from '../../platform/http/addresses/origins.js';
import { PublicUrl } from '../../platform/http/addresses/public-url.js';

/** The service as browsers and authenticators know it. */
export interface RelyingParty {
  /** The domain name that passkeys are bound to. */
  readonly id: string;
  readonly name: string;
  /** The origins whose pages may use them. */
  readonly origins: readonly string[];
}

/** Identity of the service for authenticators: from its public address, never from the caller's `Host` header. */
@Injectable()
export class RelyingParties {
  constructor(
    private readonly publicUrl: PublicUrl,
    private readonly origins: Origins,
    private readonly settings: Settings,
  ) {}

  /** True if passkeys are possible: not for a service that has no domain name. */
  get arePossible(): boolean {
    return domainOf(this.publicUrl.own) !== null;
  }

  /** The service; 409 when its address has no domain name. */
  party(): RelyingParty {
    const id = domainOf(this.publicUrl.own);
    if (id === null) throw conflict('Passkeys need a domain name, and the address of this service has none. Set AppOptions:PublicUrl.');
    return { id, name: this.settings.appOptions.authenticatorIssuerName, origins: this.origins.configured };
  }
}
