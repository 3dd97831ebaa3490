import { createServer, IncomingMessage, ServerResponse } from 'node:http';

import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express } from 'express';

/**
 * Express on a server that makes its requests and responses as those of Express. Express sets their prototypes when a request comes in.
 * If they were others, V8 would add each later property, about a dozen of a request, on a slow way: two thirds of the processor time of a
 * GET from memory. The service has no use for the options of Nest's own server: it leaves TLS to a proxy and drains requests by itself.
 */
export class ServiceAdapter extends ExpressAdapter {
  override initHttpServer(): void {
    const express: Express = this.getInstance();
    class ServedRequest extends IncomingMessage {}
    class ServedResponse extends ServerResponse {}
    Object.setPrototypeOf(ServedRequest.prototype, express.request);
    Object.setPrototypeOf(ServedResponse.prototype, express.response);
    Object.assign(express, { request: ServedRequest.prototype, response: ServedResponse.prototype });
    this.httpServer = createServer({ IncomingMessage: ServedRequest, ServerResponse: ServedResponse }, express);
  }
}
