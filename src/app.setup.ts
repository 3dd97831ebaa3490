import type { NestExpressApplication } from '@nestjs/platform-express';
import { json } from 'express';
import helmet from 'helmet';

import { AccessDeclarations } from './authorization/access-declarations.js';
import { BindingPipe } from './common/binding/binding.pipe.js';
import { ProblemDetailsFilter } from './common/problem-details.filter.js';
import { assignRequestId } from './common/request-id.js';
import { logRequests } from './common/request-log.js';
import { TrustedProxies } from './common/trusted-proxies.js';
import { Settings } from './config/settings.js';
import { ApiDescriptions } from './openapi/api-descriptions.js';

/** Largest JSON body, in bytes; a larger one answers 413. */
export const JSON_BODY_LIMIT = 1024 * 1024;

/** Sets up everything around the routes: used by the service and by its tests, so that both are the same. */
export function setUpApplication(app: NestExpressApplication): void {
  const settings = app.get(Settings);
  app.disable('x-powered-by');
  app.set('trust proxy', app.get(TrustedProxies).trusts);
  app.set('etag', false);
  app.use(assignRequestId);
  if (settings.appOptions.useHttpLogging) app.use(logRequests);
  app.use(
    helmet({ contentSecurityPolicy: { useDefaults: true, directives: { upgradeInsecureRequests: null } }, strictTransportSecurity: false }),
  );
  if (settings.appOptions.enableCors) {
    app.enableCors({ origin: [...settings.appOptions.corsAllowedOrigins], credentials: true });
  }
  app.use(json({ limit: JSON_BODY_LIMIT, type: ['application/json', 'application/*+json'] }));
  app.useGlobalPipes(new BindingPipe());
  app.useGlobalFilters(
    new ProblemDetailsFilter({
      showStack: settings.environment === 'development',
      methodsOf: (path) => app.get(AccessDeclarations).methodsOf(path),
    }),
  );
  app.get(ApiDescriptions).describe(app);
}
