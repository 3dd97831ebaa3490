import { createServer, IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http';

import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express } from 'express';

/**
 * Express on an HTTP server whose requests and responses already have the prototypes of Express. Otherwise Express changes the prototypes
 * of each request, and V8 then adds every later property slowly: two thirds of the processor time of a GET from memory. The options of
 * Nest's own server have no effect: TLS is left to a proxy, and the service drains its requests itself.
 */
export class ServiceAdapter extends ExpressAdapter {
  private makeServer: (listener: RequestListener) => Server;

  override initHttpServer(): void {
    const express: Express = this.getInstance();
    class ServedRequest extends IncomingMessage {}
    class ServedResponse extends ServerResponse {}
    Object.setPrototypeOf(ServedRequest.prototype, express.request);
    Object.setPrototypeOf(ServedResponse.prototype, express.response);
    Object.assign(express, { request: ServedRequest.prototype, response: ServedResponse.prototype });
    this.makeServer = (listener) => createServer({ IncomingMessage: ServedRequest, ServerResponse: ServedResponse }, listener);
    this.httpServer = this.makeServer(express);
  }

  /** Makes another server, whose listener hands on to {@link serve} what it lets in. */
  anotherServer(listener: RequestListener): Server {
    return this.makeServer(listener);
  }

  /** Serves a request as the public port does. */
  readonly serve: RequestListener = (request, response) => {
    const express: RequestListener = this.getInstance<Express>();
    express(request, response);
  };
}
