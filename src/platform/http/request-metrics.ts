import { metrics } from '@opentelemetry/api';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

import { routeTemplateOf } from './route-template.js';

/** Bounds of the durations, in seconds. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Measures requests by route template, method and class of the status. No label has a value of the caller's choice. */
export function measureRequests(): RequestHandler {
  const durations = metrics.getMeter('http').createHistogram('http.server.request.duration', {
    unit: 's',
    description: 'Duration of requests, by route, method and class of the status; the status 499 is a client that left.',
    advice: { explicitBucketBoundaries: SECONDS },
  });
  return (request: Request, response: Response, next: NextFunction): void => {
    const begun = performance.now();
    response.once('close', () => {
      const { method } = request;
      durations.record((performance.now() - begun) / 1_000, {
        route: routeTemplateOf(request),
        method: METHODS.has(method) ? method : 'other',
        status: response.headersSent ? `${Math.floor(response.statusCode / 100)}xx` : '499',
      });
    });
    next();
  };
}
