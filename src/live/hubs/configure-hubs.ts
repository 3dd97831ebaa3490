import type { IncomingMessage } from 'node:http';

import type { INestApplication } from '@nestjs/common';

import { configureSignalR } from '#libs/signalr/nest';

import { AuthenticationService } from '../../access/authentication/authentication.service.js';
import type { Principal } from '../../access/authentication/principals/principal.js';
import { Transfers } from '../../devices/device-link/transfers.js';
import { AGENT_HUB_PATH, VIEWER_HUB_PATH } from '../../platform/common/addresses/hub-paths.js';
import { Settings } from '../../platform/config/settings.js';
import { addressBlock } from '../../platform/http/addresses/address-block.js';
import { Origins } from '../../platform/http/addresses/origins.js';
import { PublicUrl } from '../../platform/http/addresses/public-url.js';
import { FairShares } from '../../platform/http/connections/fair-shares.js';
import { UnauthenticatedConnections } from '../../platform/http/connections/unauthenticated-connections.js';
import { RefusalLog } from '../../platform/http/problems/refusal-log.js';
import { DrainTimes } from '../../platform/node/drain-times.js';
import { ServerNode } from '../../platform/node/server-node.js';
import { HUB_HOMES, type HubHomes } from './hub-homes.js';
import { AGENT_HUB_LIMITS, VIEWER_HUB_LIMITS } from './hub-limits.js';
import { ViewerAuthentication } from './viewer/connections/viewer-authentication.js';
import { ViewerPlaces } from './viewer/connections/viewer-places.js';

/**
 * Serves the two hubs on the application's HTTP server, over all transports. Call it before `app.init()` or `app.listen()`.
 *
 * A viewer may come back to its connection when its WebSocket is lost. An agent may not: its device is online as long as its connection
 * is there, and a viewer should not wait for a device that is away.
 */
export function configureHubs(app: INestApplication): void {
  const settings = app.get(Settings);
  const authentication = app.get(AuthenticationService);
  const origins = app.get(Origins);
  const publicUrl = app.get(PublicUrl);
  const viewers = new ViewerAuthentication(
    authentication,
    app.get(RefusalLog),
    app.get(FairShares),
    app.get(UnauthenticatedConnections),
    app.get(ViewerPlaces, { strict: false }),
  );
  const shared = {
    detailedErrors: settings.appOptions.enableSignalrDetailedErrors,
    clientAddress: (request: IncomingMessage) => authentication.addressOf(request),
    sourceOf: addressBlock,
    // They have no use after authentication, and some are credentials.
    keptHeaders: [],
    checkOrigin: (request: IncomingMessage) => origins.allows(request),
  };
  const node = app.get(ServerNode, { strict: false });
  const { spreadMs, leastPerSecond } = app.get(DrainTimes, { strict: false });
  const server = configureSignalR(app, {
    homes: settings.nodes.nats.length === 0 ? undefined : app.get<HubHomes>(HUB_HOMES, { strict: false }),
    nodeId: node.id,
    closeSpreadMs: spreadMs,
    closeLeastPerSecond: leastPerSecond,
    untilFree: (connectionId) => app.get(Transfers, { strict: false }).untilFree(connectionId),
    hubs: [
      { path: AGENT_HUB_PATH, ...shared, limits: AGENT_HUB_LIMITS },
      {
        path: VIEWER_HUB_PATH,
        ...shared,
        limits: VIEWER_HUB_LIMITS,
        calledHost: (request) => publicUrl.calledHost(request).host,
        statefulReconnect: true,
        authenticate: (request) => viewers.authenticate(request),
        refusalOf: (user, request) => viewers.refusalOf(user as Principal, request),
      },
    ],
  });
  node.countConnections(() => server.size);
}
