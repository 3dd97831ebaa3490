import type { IncomingMessage } from 'node:http';

import type { INestApplication } from '@nestjs/common';

import { configureSignalR } from '#libs/signalr/nest';

import type { Principal } from '../authentication/principal.js';
import { AuthenticationService } from '../authentication/authentication.service.js';
import { AGENT_HUB_PATH, VIEWER_HUB_PATH } from '../common/hub-paths.js';
import { addressBlock } from '../http/address-block.js';
import { FairShares } from '../http/fair-shares.js';
import { Origins } from '../http/origins.js';
import { PublicUrl } from '../http/public-url.js';
import { RefusalLog } from '../http/refusal-log.js';
import { Strangers } from '../http/strangers.js';
import { Settings } from '../config/settings.js';
import { ServerNode } from '../node/server-node.js';
import { AGENT_HUB_LIMITS, VIEWER_HUB_LIMITS } from './hub-limits.js';
import { ViewerPlaces } from './viewer/viewer-places.js';
import { ViewerAuthentication } from './viewer/viewer-authentication.js';

/**
 * Serves the two hubs on the application's HTTP server, over all transports. Call it before `app.init()` or `app.listen()`.
 *
 * A viewer may come back to its connection when its WebSocket is lost. An agent may not: its device is online as long as its connection
 * is there, and nobody should wait for a device that is away.
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
    app.get(Strangers),
    app.get(ViewerPlaces, { strict: false }),
  );
  const shared = {
    detailedErrors: settings.appOptions.enableSignalrDetailedErrors,
    clientAddress: (request: IncomingMessage) => authentication.addressOf(request),
    sourceOf: addressBlock,
    // Nobody asks for them after authentication, and some are credentials.
    keptHeaders: [],
    checkOrigin: (request: IncomingMessage) => origins.allows(request),
  };
  configureSignalR(app, {
    nodeId: app.get(ServerNode, { strict: false }).id,
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
}
