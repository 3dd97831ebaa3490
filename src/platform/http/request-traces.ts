import { context, isSpanContextValid, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

import { PROBE_PATHS } from './addresses/probe-paths.js';
import { routeTemplateOf } from './route-template.js';

/**
 * Notes each request as a span, which belongs to the trace that the caller names in `traceparent`, and passes it to `handler` within this trace.
 * Probes are left out.
 */
export function traceRequests(handler: RequestHandler): RequestHandler {
  const tracer = trace.getTracer('http');
  return (request: Request, response: Response, next: NextFunction) => {
    if (PROBE_PATHS.has(request.path)) return handler(request, response, next);
    const { method } = request;
    const parent = propagation.extract(context.active(), request.headers);
    const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes: { 'http.request.method': method } }, parent);
    // A new trace that is not recorded has no id.
    if (!isSpanContextValid(span.spanContext())) return handler(request, response, next);
    // Nothing is told of a request whose caller does not record its trace, but log lines and calls that it causes name the trace.
    if (span.isRecording()) {
      response.once('close', () => {
        const route = routeTemplateOf(request);
        span.updateName(`${method} ${route}`);
        span.setAttributes({ 'http.route': route, 'http.response.status_code': response.statusCode });
        if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      });
    }
    return context.with(trace.setSpan(parent, span), handler, undefined, request, response, next);
  };
}
