import type { NestExpressApplication } from '@nestjs/platform-express';

import { AuthenticationService } from './access/authentication/authentication.service.js';
import { AccessDeclarations } from './access/authorization/guard/access-declarations.js';
import { Standstill } from './devices/device-link/standstill.js';
import { configureHubs } from './live/hubs/configure-hubs.js';
import { Settings } from './platform/config/settings.js';
import { TrustedProxies } from './platform/http/addresses/trusted-proxies.js';
import { BindingPipe } from './platform/http/binding/binding.pipe.js';
import { compressLongTexts } from './platform/http/bodies/compression.js';
import { jsonBody } from './platform/http/bodies/json-body.js';
import { serveInTurn } from './platform/http/connections/pipelined-requests.js';
import { limitSlowClients } from './platform/http/connections/slow-clients.js';
import { UnauthenticatedConnections } from './platform/http/connections/unauthenticated-connections.js';
import { ProblemDetailsFilter } from './platform/http/problems/problem-details.filter.js';
import { RefusalLog } from './platform/http/problems/refusal-log.js';
import { noteReading } from './platform/http/read-time.js';
import { assignRequestId, REQUEST_ID_HEADER } from './platform/http/request-id.js';
import { logRequests } from './platform/http/request-log.js';
import { measureRequests } from './platform/http/request-metrics.js';
import { traceRequests } from './platform/http/request-traces.js';
import { securityHeaders } from './platform/http/security-headers.js';
import { currentTelemetry } from './system/telemetry/current-telemetry.js';
import { ApiDescriptions } from './system/openapi/api-descriptions.js';
import { FrontEnd } from './system/web/front-end.js';
import { serveFrontEnd } from './system/web/serve-front-end.js';

/** Sets up everything around the routes. The service and its tests both call it, so that they behave alike. */
export function setUpApplication(app: NestExpressApplication): void {
  const settings = app.get(Settings);
  limitSlowClients(app.getHttpServer());
  serveInTurn(app.getHttpServer());
  app.get(UnauthenticatedConnections).watch(app.getHttpServer());
  app.disable('x-powered-by');
  const proxies = app.get(TrustedProxies);
  app.set('trust proxy', proxies.trusts);
  app.set('etag', false);
  compressLongTexts(app);
  const telemetry = currentTelemetry();
  const identified = telemetry?.isTraced === true ? traceRequests(assignRequestId) : assignRequestId;
  app.use(telemetry === null ? identified : measureRequests(identified));
  if (settings.appOptions.useHttpLogging) app.use(logRequests);
  app.use(securityHeaders());
  app.use(serveFrontEnd(app.get(FrontEnd)));
  if (settings.appOptions.enableCors) {
    const exposedHeaders = [REQUEST_ID_HEADER, 'ETag', 'Location', 'Retry-After', 'WWW-Authenticate'];
    app.enableCors({ origin: [...settings.appOptions.corsAllowedOrigins], credentials: true, exposedHeaders });
  }
  configureHubs(app);
  const standstill = app.get(Standstill, { strict: false });
  app.use(jsonBody({ onRead: noteReading(() => standstill.arrivedSince()) }));
  app.useGlobalPipes(new BindingPipe());
  app.useGlobalFilters(
    new ProblemDetailsFilter({
      showStack: settings.environment === 'development',
      methodsOf: (path) => app.get(AccessDeclarations).methodsOf(path),
      refusals: app.get(RefusalLog),
      addressOf: (request) => proxies.addressOf(request),
      challenge: app.get(AuthenticationService).challenge,
    }),
  );
  app.get(ApiDescriptions).describe(app);
}
