import { metrics, type Attributes } from '@opentelemetry/api';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

import { routeTemplateOf } from './route-template.js';

/** Bounds of the durations, in seconds. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Measures requests by route template, method and class of the status, and passes them to `handler`: one more handler of the application would
 * cost each request about as much as the measurement. No label has a value of the caller's choice.
 */
export function measureRequests(handler: RequestHandler): RequestHandler {
  const durations = metrics.getMeter('http').createHistogram('http.server.request.duration', {
    unit: 's',
    description: 'Duration of requests, by route, method and class of the status; the status 499 is a client that left.',
    advice: { explicitBucketBoundaries: SECONDS },
  });
  const combinations = new Combinations();
  return (request: Request, response: Response, next: NextFunction) => {
    const begun = performance.now();
    // Responses close once. A listener of `once` would cost more than the measurement.
    response.on('close', () => {
      const hundreds = response.headersSent ? Math.floor(response.statusCode / 100) : null;
      durations.record((performance.now() - begun) / 1_000, combinations.of(routeTemplateOf(request), request.method, hundreds));
    });
    return handler(request, response, next);
  };
}

/**
 * One frozen object for each combination of attributes, which histograms know again: requests are many, routes are few. It is found without a
 * text made of its parts, which would be a new one for each request.
 */
class Combinations {
  private readonly byRoute = new Map<string, Map<string, Map<number | null, Attributes>>>();

  /** @param hundreds the first digit of the status; null for a client that left before the answer */
  of(route: string, sentMethod: string, hundreds: number | null): Attributes {
    const method = METHODS.has(sentMethod) ? sentMethod : 'other';
    let byMethod = this.byRoute.get(route);
    if (byMethod === undefined) this.byRoute.set(route, (byMethod = new Map()));
    let byStatus = byMethod.get(method);
    if (byStatus === undefined) byMethod.set(method, (byStatus = new Map()));
    let attributes = byStatus.get(hundreds);
    if (attributes === undefined) {
      attributes = Object.freeze({ route, method, status: hundreds === null ? '499' : `${hundreds}xx` });
      byStatus.set(hundreds, attributes);
    }
    return attributes;
  }
}
