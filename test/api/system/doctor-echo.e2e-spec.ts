import { once } from 'node:events';

import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';

import { ECHO_PATH, ECHO_TOKEN_HEADER, echoProof, makeEchoToken } from '../../../src/system/doctor/echo/echo-token.js';
import type { TestApp } from '../../support/application/app.js';
import { testServer } from '../../support/setup/test-server.js';

async function secretOf(server: TestApp): Promise<Buffer> {
  const [{ value }] = await server.dataSource.query<{ value: Buffer }[]>(`SELECT value FROM server_secrets WHERE name = 'Doctor'`);
  return value;
}

describe('the echo for the doctor', () => {
  const server = testServer();
  const token = async (): Promise<string> => makeEchoToken(await secretOf(server), server.clock.milliseconds());
  const ask = (value: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${server.url}${ECHO_PATH}`, { ...init, headers: { ...init.headers, [ECHO_TOKEN_HEADER]: value } });

  /** The status that a WebSocket is refused with; 101 if it opens. */
  async function upgrade(value: string): Promise<number> {
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}${ECHO_PATH}`, { headers: { [ECHO_TOKEN_HEADER]: value } });
    return new Promise((resolve) => {
      const end = (status: number): void => {
        resolve(status);
        socket.on('error', () => undefined);
        socket.terminate();
      };
      socket.once('open', () => end(101));
      socket.once('unexpected-response', (_request, { statusCode = 0 }) => end(statusCode));
    });
  }

  it('tells the headers that arrived, and proves which installation answers', async () => {
    const used = await token();
    const answer = await ask(used, { headers: { 'x-forwarded-for': '192.0.2.1', 'x-forwarded-proto': 'https' } });
    expect([answer.status, await answer.json()]).toEqual([
      200,
      {
        proof: echoProof(await secretOf(server), used),
        isProxyTrusted: true,
        forwardedFor: '192.0.2.1',
        forwardedProto: 'https',
        forwardedHost: null,
        bytes: 0,
      },
    ]);
  });

  it('counts the bytes of a body', async () => {
    const answer = await ask(await token(), { method: 'POST', body: new Uint8Array(1_500_000) });
    expect(await answer.json()).toMatchObject({ bytes: 1_500_000 });
  });

  it('answers nobody without a token, and a token once', async () => {
    const used = await token();
    expect((await ask(used)).status).toBe(200);
    for (const value of ['', 'token', used, makeEchoToken(Buffer.alloc(32), server.clock.milliseconds())]) {
      expect((await ask(value)).status).toBe(404);
      expect((await ask(value, { method: 'POST', body: new Uint8Array(10) })).status).toBe(404);
      expect(await upgrade(value)).toBe(404);
    }
    expect(await upgrade(await token())).toBe(101);
  });

  it('answers a WebSocket after the silence that it asks for, and ends it for any other request', async () => {
    const open = async (): Promise<WebSocket> =>
      new WebSocket(`${server.url.replace('http', 'ws')}${ECHO_PATH}`, { headers: { [ECHO_TOKEN_HEADER]: await token() } });
    const socket = await open();
    await once(socket, 'open');
    socket.send('20');
    const [message] = (await once(socket, 'message')) as [Buffer];
    expect(message.toString()).toBe('20');
    for (const request of ['-1', '120001', 'long']) {
      const other = await open();
      await once(other, 'open');
      other.send(request);
      await once(other, 'close');
    }
    socket.terminate();
  });
});
