import type { RequestHandler } from 'express';

import { measureRequests as measureReally } from '../../src/platform/http/request-metrics.js';
import { traceRequests as traceReally } from '../../src/platform/http/request-traces.js';
import { slice } from './slices.js';

/*
 * Takes the place of the two modules within a service whose telemetry is switched: requests are measured and traced in the slices in which
 * it is on.
 */

export function measureRequests(handler: RequestHandler): RequestHandler {
  const measured = measureReally(handler);
  return (request, response, next) => {
    slice.operations += 1;
    return slice.isOn ? measured(request, response, next) : handler(request, response, next);
  };
}

export function traceRequests(handler: RequestHandler): RequestHandler {
  const traced = traceReally(handler);
  return (request, response, next) => (slice.isOn ? traced(request, response, next) : handler(request, response, next));
}
