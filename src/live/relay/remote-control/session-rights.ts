import { Injectable } from '@nestjs/common';

import type { Principal } from '../../../access/authentication/principals/principal.js';
import { AuthorizationService } from '../../../access/authorization/evaluation/authorization.service.js';
import type { DeviceResource } from '../../../access/authorization/evaluation/rules.js';
import type { PermissionDefinition } from '../../../access/authorization/permissions/permission.js';
import { StandingRights, type Standing } from '../../../access/authorization/revocation/standing-rights.js';
import { sessionPermissions } from './message-rights.js';

/** The rights of a viewer within one session, as they stand. A right that has ended does not come back while the session lasts. */
export class SessionRights {
  private readonly held: Set<PermissionDefinition>;
  private onLost: (permission: PermissionDefinition) => void = () => undefined;

  /** `release` is called when the session is over. */
  constructor(
    held: readonly PermissionDefinition[],
    readonly release: () => void = () => undefined,
  ) {
    this.held = new Set(held);
  }

  has(permission: PermissionDefinition): boolean {
    return this.held.has(permission);
  }

  /** Sets the function that is told of each right that ends. */
  whenLost(onLost: (permission: PermissionDefinition) => void): void {
    this.onLost = onLost;
  }

  /** Notes that a right has ended. */
  lose(permission: PermissionDefinition): void {
    if (this.held.delete(permission)) this.onLost(permission);
  }
}

/** Finds the rights of viewers within sessions, and watches over them. */
@Injectable()
export class SessionRightsWatch {
  constructor(
    private readonly authorization: AuthorizationService,
    private readonly standing: StandingRights,
  ) {}

  /** Begins to watch over the rights of a principal on a device. They are released with the session. */
  async begin(principal: Principal, device: DeviceResource): Promise<SessionRights> {
    const allowed = await Promise.all(sessionPermissions.map((permission) => this.authorization.isAllowed(principal, permission, device)));
    const held = sessionPermissions.filter((_, index) => allowed[index]);
    const standings: Standing[] = held.map((permission) => ({
      principal,
      device: { id: device.id, permission },
      end: () => rights.lose(permission),
    }));
    const rights: SessionRights = new SessionRights(held, () => {
      for (const standing of standings) this.standing.release(standing);
    });
    for (const standing of standings) this.standing.hold(standing);
    return rights;
  }
}
