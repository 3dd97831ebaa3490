import { once } from 'node:events';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';

import { afterEach, expect } from 'vitest';

import { agentClient, FILE_CHUNK_BYTES } from '#libs/contracts';

import { DeviceTimes } from '../../src/devices/device-link/device-times.js';
import type { ProblemDetails } from '../../src/platform/http/problems/problem-details.js';
import { ROOT_KEY, type TestApp } from '../support/application/app.js';
import type { FakeAgent } from '../support/devices/agents.js';

/* Calls of the device file system's routes for tests of transfers, and the outcomes that they look at. */

const BASE = '/api/v1/device-file-system';
const HEADERS = { 'x-api-key': ROOT_KEY };
const FORM_END = '\r\n--b--\r\n';

/** A chunk of a file. */
export const CHUNK = Buffer.alloc(FILE_CHUNK_BYTES, 7);
/** A time-out of something that never happens. */
export const SHORT_MS = 200;
/** A time-out of something that must begin in time even on a busy machine, and then does not end. */
export const UNHURRIED_MS = 2_000;
/** The outcome of a body that was cut. */
export const CUT = { bytes: undefined, problem: undefined };

/** Outcome of a request. */
export interface Outcome {
  /** 0 when the connection was cut before its head had left the server. */
  readonly status: number;
  readonly problem: ProblemDetails | undefined;
  /** The bytes of a body that ended; undefined when the connection was cut in the middle of it. */
  readonly bytes: Buffer | undefined;
}

/** A form that is being sent. */
export interface Upload {
  readonly sender: ClientRequest;
  readonly answer: Promise<IncomingMessage>;
}

/** Calls the routes for the devices of one tenant. */
export class TransferClient {
  constructor(
    private readonly server: TestApp,
    private readonly tenant: { readonly id: string },
  ) {}

  download(device: { readonly id: string }): Promise<Outcome> {
    return outcomeOf(this.fetch(`download/${device.id}`, { query: { filePath: '/file' } }));
  }

  list(device: { readonly id: string }): Promise<Outcome> {
    return this.post('contents', { deviceId: device.id, directoryPath: '/directory' });
  }

  get(path: string): Promise<Outcome> {
    return outcomeOf(this.fetch(path));
  }

  post(path: string, body: object): Promise<Outcome> {
    return outcomeOf(this.fetch(path, { body }));
  }

  /** A call that the test can abandon; GET, or POST when there is a body. */
  fetch(
    path: string,
    { query, body, signal }: { query?: Record<string, string>; body?: object; signal?: AbortSignal } = {},
  ): Promise<Response> {
    const json = body && { method: 'POST', body: JSON.stringify(body) };
    const headers = { ...HEADERS, ...(body && { 'content-type': 'application/json' }) };
    return fetch(this.urlOf(path, query), { ...json, headers, ...(signal && { signal }) });
  }

  /** A response whose body is not read until the test does. */
  async open(path: string, query: Record<string, string>): Promise<IncomingMessage> {
    const request = httpRequest(this.urlOf(path, query), { headers: HEADERS });
    // Once there is a response, its end tells its outcome, however the connection broke.
    request.once('response', () => request.on('error', () => undefined));
    request.end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return response;
  }

  /** Starts a form whose file has so many bytes; the test writes them. */
  startUpload(device: { readonly id: string }, fileSize: number, directory = '/target'): Upload {
    const head =
      `--b\r\nContent-Disposition: form-data; name="targetSaveDirectory"\r\n\r\n${directory}\r\n` +
      `--b\r\nContent-Disposition: form-data; name="file"; filename="up.bin"\r\n\r\n`;
    const length = head.length + fileSize + FORM_END.length;
    const sender = httpRequest(this.urlOf(`upload/${device.id}`), {
      method: 'POST',
      headers: { ...HEADERS, 'content-type': 'multipart/form-data; boundary=b', 'content-length': length },
    });
    const answer = once(sender, 'response').then(([response]: IncomingMessage[]) => response);
    // Some tests are about senders that are cut off.
    sender.on('error', () => undefined);
    answer.catch(() => undefined);
    sender.write(head);
    return { sender, answer };
  }

  /** Sends a whole file of zeros; answers the head of the response. */
  async upload(device: { readonly id: string }, fileSize: number): Promise<IncomingMessage> {
    const { sender, answer } = this.startUpload(device, fileSize);
    sender.end(Buffer.concat([Buffer.alloc(fileSize), Buffer.from(FORM_END)]));
    const response = await answer;
    response.resume();
    return response;
  }

  private urlOf(path: string, query: Record<string, string> = {}): URL {
    const url = new URL(`${BASE}/${path}`, this.server.url);
    url.search = new URLSearchParams({ tenantId: this.tenant.id, ...query }).toString();
    return url;
  }
}

/** Expects that the connection of the agent still serves: nothing holds it. */
export async function expectServing(agent: FakeAgent, client: TransferClient): Promise<void> {
  agent.on(agentClient.GetPathSegments, () => ({
    success: true,
    errorMessage: null,
    pathExists: true,
    pathSegments: [],
    pathSeparator: '/',
  }));
  expect((await client.post('path-segments', { deviceId: agent.device.id, targetPath: '/' })).status).toBe(200);
}

async function outcomeOf(pending: Promise<Response>): Promise<Outcome> {
  const response = await pending.catch(() => undefined);
  if (response === undefined) return { status: 0, bytes: undefined, problem: undefined };
  const { status } = response;
  const bytes = await response.arrayBuffer().then(
    (body) => Buffer.from(body),
    () => undefined,
  );
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json') === true;
  return { status, bytes, problem: isProblem && bytes !== undefined ? (JSON.parse(bytes.toString()) as ProblemDetails) : undefined };
}

/** Returns a function that shortens the server's times for devices until the end of the test. */
export function shortenTimes(server: TestApp): (times: Partial<DeviceTimes>) => void {
  const set = (times: Partial<DeviceTimes>): void => void Object.assign(server.app.get(DeviceTimes), times);
  afterEach(() => set(new DeviceTimes()));
  return set;
}
