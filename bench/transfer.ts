import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';

import { deviceIdOf, type Fleet } from './harness/database.js';
import { ReferenceAgent } from './harness/reference-agent.js';
import { Scene } from './harness/scene.js';
import type { Service } from './harness/service.js';
import { forgetPeak, peakResidentBytes, residentBytes } from './harness/usage.js';

/** The measurements of one file on its way to a device and back. */
export interface TransferResult {
  readonly sizeBytes: number;
  /** Decimal megabytes per second. */
  readonly uploadMegabytesPerSecond: number;
  readonly downloadMegabytesPerSecond: number;
  /** The largest growth of resident memory during the transfer, in bytes. */
  readonly serviceGrowthBytes: number;
  readonly agentGrowthBytes: number;
}

const DEVICE_ID = deviceIdOf(0);
const DEVICE_PATH = '/api/v1/device-file-system';
/** The first transfers compile code and fill pools, so they do not count. */
const WARM_UP_BYTES = 33_554_432;
const PIECE_BYTES = 262_144;
const BYTES_PER_MEGABYTE = 1e6;

/**
 * Sends a file of random bytes over HTTP to the reference agent and fetches it again. Service, agent and client are
 * separate processes. Throws unless every byte comes back.
 */
export function measureTransfer(sizeBytes: number): Promise<TransferResult> {
  return Scene.play(1, async ({ service, fleet }) => {
    const folder = await mkdtemp(join(tmpdir(), 'bench-transfer-'));
    try {
      const agent = await ReferenceAgent.start(service, fleet, DEVICE_ID, join(folder, 'agent'));
      try {
        const link = new DeviceFile(service, fleet, folder);
        await link.thereAndBack(WARM_UP_BYTES);
        const before = { service: await settledMemory(service), agent: await residentBytes(agent.pid) };
        await Promise.all([forgetPeak(service.pid), forgetPeak(agent.pid)]);
        const seconds = await link.thereAndBack(sizeBytes);
        const rate = (time: number): number => sizeBytes / BYTES_PER_MEGABYTE / time;
        return {
          sizeBytes,
          uploadMegabytesPerSecond: rate(seconds.up),
          downloadMegabytesPerSecond: rate(seconds.down),
          serviceGrowthBytes: (await peakResidentBytes(service.pid)) - before.service,
          agentGrowthBytes: (await peakResidentBytes(agent.pid)) - before.agent,
        };
      } finally {
        await agent.stop();
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}

/** A file of the device, as an HTTP client sees it. */
class DeviceFile {
  constructor(
    private readonly service: Service,
    private readonly fleet: Fleet,
    private readonly folder: string,
  ) {}

  /** Writes the file and reads it back. Returns the time of each direction in seconds. */
  async thereAndBack(sizeBytes: number): Promise<{ readonly up: number; readonly down: number }> {
    const started = performance.now();
    const sent = await this.upload(sizeBytes);
    const turned = performance.now();
    const received = await this.download(sizeBytes);
    const ended = performance.now();
    if (sent !== received) throw new Error('What came back is not what was sent.');
    return { up: (turned - started) / 1000, down: (ended - turned) / 1000 };
  }

  private async upload(sizeBytes: number): Promise<string> {
    const part = (header: string): string => `--b\r\nContent-Disposition: form-data; ${header}\r\n\r\n`;
    const head = `${part('name="targetSaveDirectory"')}${this.folder}\r\n${part('name="overwrite"')}true\r\n${part('name="file"; filename="file"')}`;
    const tail = '\r\n--b--\r\n';
    const hash = createHash('sha256');
    const form = async function* (): AsyncIterable<Uint8Array> {
      yield Buffer.from(head);
      for (const piece of randomPieces(sizeBytes)) {
        hash.update(piece);
        yield piece;
      }
      yield Buffer.from(tail);
    };
    const sender = this.request(
      'POST',
      `upload/${DEVICE_ID}`,
      {},
      { 'content-type': 'multipart/form-data; boundary=b', 'content-length': head.length + sizeBytes + tail.length },
    );
    const answered = answerOf(sender);
    const [answer] = await Promise.all([answered, pipeline(Readable.from(form()), sender)]);
    answer.resume();
    return hash.digest('hex');
  }

  private async download(sizeBytes: number): Promise<string> {
    const reader = this.request('GET', `download/${DEVICE_ID}`, { filePath: join(this.folder, 'file') }, {});
    reader.end();
    const answer = await answerOf(reader);
    const hash = createHash('sha256');
    let total = 0;
    for await (const piece of answer as AsyncIterable<Buffer>) {
      total += piece.length;
      hash.update(piece);
    }
    if (total !== sizeBytes) throw new Error(`${total} bytes came back instead of ${sizeBytes}.`);
    return hash.digest('hex');
  }

  private request(method: string, path: string, query: Record<string, string>, headers: Record<string, string | number>) {
    const url = new URL(`${DEVICE_PATH}/${path}`, this.service.url);
    url.search = new URLSearchParams({ tenantId: this.fleet.tenantId, ...query }).toString();
    return request(url, { method, headers: { 'x-api-key': this.fleet.apiKey, ...headers } });
  }
}

async function answerOf(sender: ReturnType<typeof request>): Promise<IncomingMessage> {
  const [answer] = (await once(sender, 'response')) as [IncomingMessage];
  if (answer.statusCode === 200) return answer;
  throw new Error(`The service answered ${answer.statusCode}.`);
}

/** Incompressible random bytes, generated by encryption for speed. */
function* randomPieces(sizeBytes: number): Iterable<Uint8Array> {
  const cipher = createCipheriv('aes-128-ctr', randomBytes(16), randomBytes(16));
  const zeros = Buffer.alloc(PIECE_BYTES);
  for (let left = sizeBytes; left > 0; left -= PIECE_BYTES) yield cipher.update(left < PIECE_BYTES ? zeros.subarray(0, left) : zeros);
}

/** Memory of the service after a garbage collection, in bytes. */
async function settledMemory(service: Service): Promise<number> {
  service.collectGarbage();
  await delay(500);
  return residentBytes(service.pid);
}
