import { maxHeaderSize, STATUS_CODES, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

import { PROBLEM_MEDIA_TYPE, problemDetails } from '../problems/problem-details.js';
import { newRequestId, REQUEST_ID_HEADER } from '../request-id.js';
import { SECURITY_HEADERS } from '../security-headers.js';
import { EventLoopTurns } from './event-loop-turns.js';
import { Pipelines } from './pipelines.js';
import { SlicedReader, type HttpSocket, type ParserError } from './sliced-reader.js';

const INTAKE = Symbol('intake');

/** A connection while it is served as HTTP. */
interface ServedSocket extends HttpSocket {
  [INTAKE]?: SlicedReader;
}

/**
 * Keeps every connection from delaying the others, whatever it sends. Requests that come before the answer to an earlier one are served one
 * after the other, as their answers have to leave in their order anyway, and until then nothing more is read from their connection. Of all
 * connections together, only as much begins in a turn of the event loop as its budget allows. The server's own listeners of requests see
 * them only then.
 */
export function serveInTurn(server: Server): void {
  const listeners = server.listeners('request');
  server.removeAllListeners('request');
  const serve: RequestListener = (request, response) => {
    for (const listener of listeners) listener.call(server, request, response);
  };
  const turns = new EventLoopTurns();
  const pipelines = new Pipelines();
  server.on('connection', (socket: ServedSocket) => {
    socket[INTAKE] = new SlicedReader(socket, turns, pipelines);
  });
  const hold = (socket: ServedSocket, response: ServerResponse, begin: () => void): void =>
    pipelines.hold(socket, response, () => {
      turns.later(begin);
      socket[INTAKE]?.goOn();
    });
  server.on('request', (request, response) => {
    // A client that has left by now needs no answer.
    const begin = (): void => void (request.socket.destroyed || serve(request, response));
    // The response to a request that was pipelined gets its socket when the one before it is done.
    if (response.socket === null) hold(request.socket, response, begin);
    else if (turns.isFree) begin();
    else turns.later(begin);
  });
  server.prependListener('upgrade', ({ socket }) => leaveHttp(socket));
  server.on('clientError', (error, socket) => {
    if ((socket as ServedSocket)[INTAKE]?.takeBack(error) !== true) refuse(socket, error);
  });
}

/** Gives the connection up to another protocol. In the middle of an answer the client would not understand it, so it is closed. */
function leaveHttp(socket: ServedSocket): void {
  if (socket._httpMessage?.writableEnded === false) socket.destroy();
  socket[INTAKE]?.end();
  socket[INTAKE] = undefined;
}

/** Statuses of answers to bytes that are no request, by the code of the error, with the reason for the client. */
const REFUSALS: Readonly<Record<string, readonly [status: number, detail: string]>> = {
  HPE_INVALID_METHOD: [400, 'The service does not know this HTTP method.'],
  HPE_HEADER_OVERFLOW: [431, `The address and the headers of a request can have at most ${maxHeaderSize} bytes.`],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The extensions of the chunks of the body are too long: leave them out.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
};
const UNREADABLE = [400, 'The request could not be read.'] as const;

/** Ends a connection whose bytes are no request. Answers as other refusals are, which have passed the parser. */
function refuse(socket: Duplex, error: ParserError): void {
  const response = (socket as ServedSocket)._httpMessage;
  if (socket.writable && response?.headersSent !== true) {
    const [status, detail] = REFUSALS[error.code ?? ''] ?? UNREADABLE;
    const body = JSON.stringify(problemDetails(status, { detail }));
    const headers = [
      [REQUEST_ID_HEADER, newRequestId()],
      ...SECURITY_HEADERS,
      ['Content-Type', PROBLEM_MEDIA_TYPE],
      ['Content-Length', String(Buffer.byteLength(body))],
      ['Date', new Date().toUTCString()],
      ['Connection', 'close'],
    ].map(([name, value]) => `${name}: ${value}`);
    socket.write([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...headers, '', body].join('\r\n'));
  }
  socket.destroy(error);
}
