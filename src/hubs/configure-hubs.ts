import type { IncomingMessage } from 'node:http';

import type { INestApplication } from '@nestjs/common';

import { configureSignalR, type Authentication } from '#libs/signalr';

import { AuthenticationService } from '../authentication/authentication.service.js';
import { idOf } from '../authentication/principal.js';
import { DomainError, unauthorized } from '../common/errors.js';
import { AGENT_HUB_PATH, VIEWER_HUB_PATH } from '../common/hub-paths.js';
import { addressBlock } from '../http/address-block.js';
import { Origins } from '../http/origins.js';
import { refusalAnswer } from '../http/refusal-answer.js';
import { RefusalLog } from '../http/refusal-log.js';
import { requestIdOf } from '../http/request-id.js';
import { Settings } from '../config/settings.js';
import { ServerNode } from '../server/server-node.js';
import { AGENT_HUB_LIMITS, VIEWER_HUB_LIMITS } from './hub-limits.js';

/** Serves the two hubs on the application's HTTP server. Call it before `app.init()` or `app.listen()`. */
export function configureHubs(app: INestApplication): void {
  const settings = app.get(Settings);
  const authentication = app.get(AuthenticationService);
  const origins = app.get(Origins);
  const refusals = app.get(RefusalLog);
  const shared = {
    detailedErrors: settings.appOptions.enableSignalrDetailedErrors,
    clientAddress: (request: IncomingMessage) => authentication.addressOf(request),
    sourceOf: addressBlock,
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
        authenticate: (request) => authenticateViewer(authentication, refusals, request),
      },
    ],
  });
}

/** Every caller with a valid credential may connect to the viewer hub. Its calls are authorized one by one (`viewer/viewer-calls.ts`). */
async function authenticateViewer(
  authentication: AuthenticationService,
  refusals: RefusalLog,
  request: IncomingMessage,
): Promise<Authentication> {
  try {
    const principal = await authentication.authenticate(request);
    if (principal === null) throw unauthorized('A credential is required.');
    return { accept: true, user: principal, userId: idOf(principal) ?? '' };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    refusals.note(error, {
      source: addressBlock(authentication.addressOf(request)),
      requestId: requestIdOf(request),
      path: VIEWER_HUB_PATH,
    });
    return { accept: false, ...refusalAnswer(error, requestIdOf(request)) };
  }
}
