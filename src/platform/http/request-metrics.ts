import { metrics, type Attributes } from '@opentelemetry/api';
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
      const attributes = attributesOf(
        routeTemplateOf(request),
        METHODS.has(method) ? method : 'other',
        response.headersSent ? `${Math.floor(response.statusCode / 100)}xx` : '499',
      );
      durations.record((performance.now() - begun) / 1_000, attributes);
    });
    next();
  };
}

/** One frozen object for each combination, which histograms know again: requests are many, routes are few. */
const combinations = new Map<string, Attributes>();

function attributesOf(route: string, method: string, status: string): Attributes {
  const key = `${status} ${method} ${route}`;
  let attributes = combinations.get(key);
  if (attributes === undefined) combinations.set(key, (attributes = Object.freeze({ route, method, status })));
  return attributes;
}
