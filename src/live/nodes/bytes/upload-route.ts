import type { IncomingMessage, ServerResponse } from 'node:http';

import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';

import { HubError, respond } from '#libs/signalr';

import { DeviceLink } from '../../../devices/device-link/device-link.js';
import { DevicePresence } from '../../../devices/device-link/device-presence.js';
import { discardRest } from '../../../devices/file-system/discard-rest.js';
import { DomainError, ErrorCode, messageOf } from '../../../platform/common/errors/errors.js';
import { readAtOf } from '../../../platform/http/read-time.js';
import { CANCELED_FOR_AGENT, sendToAgent } from '../../hubs/viewer/files/file-upload.js';
import { MISDIRECTED } from './passed-messages.js';
import { InternalPort } from './internal-port.js';
import { DEVICE_PARAMETER, FAILURE_TRAILER, readMetadata, type UploadAnswer, UPLOADS_PATH } from './upload-message.js';

/** Writes files of viewers at other nodes on devices that are connected here. */
@Injectable()
export class UploadRoute implements OnModuleInit {
  private readonly logger = new Logger('Nodes');

  constructor(
    private readonly port: InternalPort,
    private readonly presence: DevicePresence,
    private readonly link: DeviceLink,
  ) {}

  onModuleInit(): void {
    this.port.route(UPLOADS_PATH, (request, response) => void this.serve(request, response));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const deviceId = new URLSearchParams(request.url?.split('?')[1]).get(DEVICE_PARAMETER) ?? '';
    if (!this.presence.isKnown(deviceId)) return respond(response, { status: MISDIRECTED });
    response.writeContinue();
    const answer = await this.pass(deviceId, request, () => response.writeProcessing()).catch((error: unknown): UploadAnswer => ({
      refusal: this.refusalOf(error),
    }));
    if (response.closed) return;
    respond(response, { status: 200, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(answer) });
    discardRest(request);
  }

  private async pass(deviceId: string, request: IncomingMessage, want: () => void): Promise<UploadAnswer> {
    const ended = new AbortController();
    request.once('close', () => void (request.complete || ended.abort(new HubError(CANCELED_FOR_AGENT))));
    const transfer = this.link.beginTransfer(deviceId);
    try {
      // An agent that refuses early ends the reading, but the request still has to be answered.
      const parts = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
      const metadata = await readMetadata(parts);
      const source = (): AsyncIterable<Uint8Array> => fileOf(request, parts, want, ended);
      const upload = { metadata: { ...metadata, deviceId }, madeAt: readAtOf(request) };
      const result = await sendToAgent(this.link, upload, source, AbortSignal.any([ended.signal, transfer.cut]));
      return { result };
    } finally {
      transfer.end();
    }
  }

  private refusalOf(error: unknown): { code: ErrorCode; message: string } {
    if (error instanceof DomainError) return { code: error.code, message: error.message };
    if (!(error instanceof HubError)) this.logger.error(`A file of a viewer at another node was not written: ${messageOf(error)}`);
    return { code: ErrorCode.BadGateway, message: messageOf(error) };
  }
}

/** The bytes of the file. They end with the reason that the viewer's node gives, if it gives one. */
async function* fileOf(
  request: IncomingMessage,
  parts: AsyncIterator<Buffer>,
  want: () => void,
  ended: AbortController,
): AsyncGenerator<Uint8Array> {
  const fail = (reason: string): HubError => {
    const error = new HubError(reason);
    ended.abort(error);
    return error;
  };
  want();
  try {
    for (let next = await parts.next(); next.done !== true; next = await parts.next()) yield next.value;
  } catch {
    throw fail(CANCELED_FOR_AGENT);
  }
  const failure = request.trailers[FAILURE_TRAILER];
  if (failure !== undefined) throw fail(Buffer.from(failure, 'base64').toString());
}
