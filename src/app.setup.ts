import type { NestExpressApplication } from '@nestjs/platform-express';

import { AccessDeclarations } from './authorization/access-declarations.js';
import { BindingPipe } from './common/binding/binding.pipe.js';
import { jsonBody } from './common/json-body.js';
import { ProblemDetailsFilter } from './common/problem-details.filter.js';
import { assignRequestId } from './common/request-id.js';
import { logRequests } from './common/request-log.js';
import { securityHeaders } from './common/security-headers.js';
import { limitSlowClients } from './common/slow-clients.js';
import { TrustedProxies } from './common/trusted-proxies.js';
import { Settings } from './config/settings.js';
import { configureHubs } from './hubs/configure-hubs.js';
import { ApiDescriptions } from './openapi/api-descriptions.js';

/** Sets up everything around the routes: used by the service and by its tests, so that both are the same. */
export function setUpApplication(app: NestExpressApplication): void {
  const settings = app.get(Settings);
  limitSlowClients(app.getHttpServer());
  app.disable('x-powered-by');
  app.set('trust proxy', app.get(TrustedProxies).trusts);
  app.set('etag', false);
  app.use(assignRequestId);
  if (settings.appOptions.useHttpLogging) app.use(logRequests);
  app.use(
    securityHeaders({
      contentSecurityPolicy: { useDefaults: true, directives: { upgradeInsecureRequests: null } },
      strictTransportSecurity: false,
    }),
  );
  if (settings.appOptions.enableCors) {
    app.enableCors({ origin: [...settings.appOptions.corsAllowedOrigins], credentials: true });
  }
  configureHubs(app);
  app.use(jsonBody());
  app.useGlobalPipes(new BindingPipe());
  app.useGlobalFilters(
    new ProblemDetailsFilter({
      showStack: settings.environment === 'development',
      methodsOf: (path) => app.get(AccessDeclarations).methodsOf(path),
    }),
  );
  app.get(ApiDescriptions).describe(app);
}
