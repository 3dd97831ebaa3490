import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

import { PROBE_PATHS } from './addresses/probe-paths.js';
import { routeTemplateOf } from './route-template.js';

/** Notes each request as a span, which belongs to the trace that the caller names in `traceparent`. Probes are left out. */
export function traceRequests(): RequestHandler {
  const tracer = trace.getTracer('http');
  return (request: Request, response: Response, next: NextFunction): void => {
    if (PROBE_PATHS.has(request.path)) {
      next();
      return;
    }
    const { method } = request;
    const parent = propagation.extract(context.active(), request.headers);
    const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes: { 'http.request.method': method } }, parent);
    response.once('close', () => {
      const route = routeTemplateOf(request);
      span.updateName(`${method} ${route}`);
      span.setAttributes({ 'http.route': route, 'http.response.status_code': response.statusCode });
      if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    context.with(trace.setSpan(parent, span), next);
  };
}
