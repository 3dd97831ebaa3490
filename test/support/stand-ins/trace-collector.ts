import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as OTLP sends it. Ids are hexadecimal; `parentId` is empty for the first span of a trace. */
export interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string;
  readonly name: string;
}

/** Field numbers of OTLP's `ExportTraceServiceRequest` and of what it contains. */
const RESOURCE_SPANS = 1;
const SCOPE_SPANS = 2;
const SPANS = 2;
const SPAN = { traceId: 1, spanId: 2, parentId: 4, name: 5 };

/** A receiver of traces by OTLP over HTTP, as protobuf. */
export class TraceCollector {
  readonly spans: SentSpan[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async open(): Promise<TraceCollector> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const collector = new TraceCollector(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', (request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.once('end', () => {
        if (request.url === '/v1/traces') collector.spans.push(...spansOf(Buffer.concat(pieces)));
        response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
      });
    });
    return collector;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

function spansOf(body: Buffer): SentSpan[] {
  return membersOf(body, RESOURCE_SPANS)
    .flatMap((resource) => membersOf(resource, SCOPE_SPANS))
    .flatMap((scope) => membersOf(scope, SPANS))
    .map((span) => {
      const hexOf = (field: number): string => membersOf(span, field)[0]?.toString('hex') ?? '';
      const name = membersOf(span, SPAN.name)[0]?.toString('utf8') ?? '';
      return { traceId: hexOf(SPAN.traceId), spanId: hexOf(SPAN.spanId), parentId: hexOf(SPAN.parentId), name };
    });
}

/** The values of a field that is written with its length (wire type 2), in a message of protobuf. */
function membersOf(message: Buffer, field: number): Buffer[] {
  const found: Buffer[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = message[at];
      at += 1;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const key = varint();
    switch (key & 7) {
      case 0:
        varint();
        break;
      case 1:
        at += 8;
        break;
      case 5:
        at += 4;
        break;
      default: {
        const length = varint();
        if (key >> 3 === field) found.push(message.subarray(at, at + length));
        at += length;
      }
    }
  }
  return found;
}
