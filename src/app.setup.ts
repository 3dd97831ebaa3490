import type { NestExpressApplication } from '@nestjs/platform-express';

import { AuthenticationService } from './authentication/authentication.service.js';
import { AccessDeclarations } from './authorization/access-declarations.js';
import { BindingPipe } from './http/binding/binding.pipe.js';
import { compressLongTexts } from './http/compression.js';
import { jsonBody } from './http/json-body.js';
import { serveInTurn } from './http/pipelined-requests.js';
import { ProblemDetailsFilter } from './http/problem-details.filter.js';
import { RefusalLog } from './http/refusal-log.js';
import { assignRequestId, REQUEST_ID_HEADER } from './http/request-id.js';
import { logRequests } from './http/request-log.js';
import { securityHeaders } from './http/security-headers.js';
import { limitSlowClients } from './http/slow-clients.js';
import { Strangers } from './http/strangers.js';
import { TrustedProxies } from './http/trusted-proxies.js';
import { Settings } from './config/settings.js';
import { configureHubs } from './hubs/configure-hubs.js';
import { ApiDescriptions } from './openapi/api-descriptions.js';
import { FrontEnd } from './web/front-end.js';
import { serveFrontEnd } from './web/serve-front-end.js';

/** Sets up everything around the routes. The service and its tests both call it, so that they behave alike. */
export function setUpApplication(app: NestExpressApplication): void {
  const settings = app.get(Settings);
  limitSlowClients(app.getHttpServer());
  serveInTurn(app.getHttpServer());
  app.get(Strangers).watch(app.getHttpServer());
  app.disable('x-powered-by');
  app.set('trust proxy', app.get(TrustedProxies).trusts);
  app.set('etag', false);
  compressLongTexts(app);
  app.use(assignRequestId);
  if (settings.appOptions.useHttpLogging) app.use(logRequests);
  app.use(securityHeaders());
  app.use(serveFrontEnd(app.get(FrontEnd)));
  if (settings.appOptions.enableCors) {
    const exposedHeaders = [REQUEST_ID_HEADER, 'Location', 'Retry-After', 'WWW-Authenticate'];
    app.enableCors({ origin: [...settings.appOptions.corsAllowedOrigins], credentials: true, exposedHeaders });
  }
  configureHubs(app);
  app.use(jsonBody());
  app.useGlobalPipes(new BindingPipe());
  app.useGlobalFilters(
    new ProblemDetailsFilter({
      showStack: settings.environment === 'development',
      methodsOf: (path) => app.get(AccessDeclarations).methodsOf(path),
      refusals: app.get(RefusalLog),
      challenge: app.get(AuthenticationService).challenge,
    }),
  );
  app.get(ApiDescriptions).describe(app);
}
