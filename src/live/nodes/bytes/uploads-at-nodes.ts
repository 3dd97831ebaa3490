import type { ClientRequest, IncomingMessage } from 'node:http';

import { Injectable } from '@nestjs/common';

import type { HubResult } from '#libs/contracts';

import { deviceOffline } from '../../../devices/device-link/device-failures.js';
import { DomainError, messageOf } from '../../../platform/common/errors/errors.js';
import { hostInUrl } from '../../../platform/config/url-text.js';
import type { Edge } from '../../../platform/http/addresses/edge.js';
import type { PassedUpload, UploadsElsewhere } from '../../hubs/viewer/files/uploads-elsewhere.js';
import { DeviceDirectory, type ForeignPlace } from '../agents/device-directory.js';
import { NodeUnreachable, OutcomeUnknown } from '../line/node-calls.js';
import { ServiceLine } from '../service-line.js';
import { MISDIRECTED } from './passed-messages.js';
import { NodeAddresses } from './node-addresses.js';
import { failureOf, NodeRequests } from './node-requests.js';
import { DEVICE_PARAMETER, FAILURE_TRAILER, type UploadAnswer, UPLOADS_PATH, WANTED, writeMetadata } from './upload-message.js';

/** Time in which the other node is told why a file has ended too early, in milliseconds. */
const TELL_MS = 2_000;
/** Interval at which the other node is looked for, in milliseconds. */
const WATCH_MS = 1_000;
/** A request of the node itself has no client. */
const OWN_EDGE: Edge = { address: '', isSecure: false, host: { header: 'Host', host: '' }, requestId: '' };

interface Upload extends PassedUpload {
  readonly source: () => AsyncIterable<Uint8Array>;
  readonly failed: AbortSignal;
}

/** Sends files of viewers to devices that are connected to other nodes. */
@Injectable()
export class UploadsAtNodes implements UploadsElsewhere {
  constructor(
    private readonly directory: DeviceDirectory,
    private readonly addresses: NodeAddresses,
    private readonly requests: NodeRequests,
    private readonly line: ServiceLine,
  ) {}

  async has(deviceId: string): Promise<boolean> {
    return (await this.directory.find(deviceId)) !== undefined;
  }

  async send(passed: PassedUpload, source: () => AsyncIterable<Uint8Array>, failed: AbortSignal): Promise<HubResult> {
    const { metadata } = passed;
    const upload = { ...passed, source, failed };
    const place = await this.placeOf(metadata.deviceId);
    const answer = await this.tryAt(place, upload);
    if (typeof answer !== 'string') return resultOf(answer);
    this.directory.forget(metadata.deviceId, place);
    const next = await this.placeOf(metadata.deviceId);
    // Nothing was begun at the former node.
    const last = next.nodeId === place.nodeId ? answer : await this.tryAt(next, upload);
    if (typeof last !== 'string') return resultOf(last);
    throw last === 'misdirected' ? deviceOffline() : new NodeUnreachable();
  }

  private async placeOf(deviceId: string): Promise<ForeignPlace> {
    const place = await this.directory.find(deviceId);
    if (place === undefined) throw deviceOffline();
    return place;
  }

  private async tryAt({ nodeId }: ForeignPlace, upload: Upload): Promise<UploadAnswer | 'misdirected' | 'unreachable'> {
    const address = this.line.reaches(nodeId) ? await this.addresses.find(nodeId) : null;
    if (address === null) return 'unreachable';
    const url = `${UPLOADS_PATH}?${DEVICE_PARAMETER}=${upload.metadata.deviceId}`;
    const headers = ['Host', hostInUrl(address.host), 'Transfer-Encoding', 'chunked', 'Trailer', FAILURE_TRAILER, 'Expect', '100-continue'];
    const edge = { ...OWN_EDGE, readAt: this.requests.databaseTimeOf(upload.madeAt) };
    const outgoing = this.requests.request({ method: 'POST', url, edge }, address, headers);
    return new Promise((resolve, reject) => {
      let isReading = false;
      const giveUp = (): void => {
        // The agent is told the reason first, if the other node still reads.
        if (isReading) setTimeout(() => outgoing.destroy(), TELL_MS).unref();
        else outgoing.destroy();
      };
      const watch = setInterval(() => {
        if (!this.line.reaches(nodeId)) outgoing.destroy(new Error('The node is not heard any more.'));
      }, WATCH_MS).unref();
      outgoing.once('close', () => clearInterval(watch));
      upload.failed.addEventListener('abort', giveUp, { once: true });
      outgoing.once('close', () => upload.failed.removeEventListener('abort', giveUp));
      outgoing.on('error', (error) => {
        if (failureOf(error) === 'broken') return reject(new OutcomeUnknown());
        this.addresses.forget(nodeId);
        resolve('unreachable');
      });
      outgoing.once('continue', () => void outgoing.write(writeMetadata(upload.metadata)));
      outgoing.on('information', ({ statusCode }) => {
        if (statusCode !== WANTED || isReading) return;
        isReading = true;
        void writeFile(outgoing, upload.source);
      });
      outgoing.once('response', (answer: IncomingMessage) => {
        readAnswer(answer)
          .then(resolve, () => reject(new OutcomeUnknown()))
          .finally(() => outgoing.destroy());
      });
      if (upload.failed.aborted) giveUp();
      else outgoing.flushHeaders();
    });
  }
}

/** Writes the file as fast as the other node takes it. Never rejects: the answer tells the outcome. */
async function writeFile(outgoing: ClientRequest, source: () => AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const part of source()) {
      if (outgoing.destroyed) return;
      if (!outgoing.write(part)) await drained(outgoing);
    }
  } catch (error) {
    if (outgoing.destroyed) return;
    outgoing.addTrailers({ [FAILURE_TRAILER]: Buffer.from(messageOf(error)).toString('base64') });
  }
  outgoing.end();
}

/** Waits until a request takes more, or is over. Leaves no listeners: a file has many parts. */
function drained(outgoing: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      outgoing.off('drain', settle).off('close', settle);
      resolve();
    };
    outgoing.on('drain', settle).on('close', settle);
  });
}

async function readAnswer(answer: IncomingMessage): Promise<UploadAnswer | 'misdirected'> {
  if (answer.statusCode === MISDIRECTED) {
    answer.resume();
    return 'misdirected';
  }
  if (answer.statusCode !== 200) throw new Error(`The node answered ${answer.statusCode}.`);
  const parts: Buffer[] = [];
  for await (const part of answer) parts.push(part as Buffer);
  // Only a node could send it.
  return JSON.parse(Buffer.concat(parts).toString()) as UploadAnswer;
}

function resultOf(answer: UploadAnswer): HubResult {
  if ('result' in answer) return answer.result;
  throw new DomainError(answer.refusal.code, answer.refusal.message);
}
