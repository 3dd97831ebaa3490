import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';

import { describe, expect, it } from 'vitest';
import express from 'express';

import { jsonBody, nestsDeeperThan } from './json-body.js';

const deeperThanTwo = (text: string): boolean => nestsDeeperThan(2, Buffer.from(text));

describe('nestsDeeperThan', () => {
  it.each(['1', '"text"', '{}', '[[]]', '{"a":[1,2]}', '[{},{},{}]'])('allows %s', (text) => {
    expect(deeperThanTwo(text)).toBe(false);
  });

  it.each(['[[[]]]', '{"a":{"b":{}}}', '[{"a":[', '[[],[[]]]'])('refuses %s', (text) => {
    expect(deeperThanTwo(text)).toBe(true);
  });

  it.each(['"[[["', '{"a":"[[{\\"[[["}', '{"[[[":"\\\\"}', '["é[[[","\\""]'])('ignores brackets inside texts: %s', (text) => {
    expect(deeperThanTwo(text)).toBe(false);
  });

  it('continues counting after a text that ends with a backslash', () => {
    expect(deeperThanTwo('["\\\\",[[]]]')).toBe(true);
  });
});

describe('jsonBody', () => {
  it('cuts off a body that arrives too slowly, but not a prompt one', async () => {
    const app = express();
    // Long enough for a prompt body on a busy machine.
    app.use(jsonBody({ deadlineMs: 1_000 }));
    app.use((request, response) => {
      response.json(request.body);
    });
    const server: Server = createServer(app);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The server listens on no port.');
    const { port } = address;
    try {
      const slow = connect(port, '127.0.0.1');
      slow.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"name"');
      slow.resume();
      // The connection may also be reset.
      slow.on('error', () => undefined);
      await new Promise((resolve) => slow.once('close', resolve));
      const prompt = await fetch(`http://127.0.0.1:${port}/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"name":"a"}',
      });
      expect(await prompt.json()).toEqual({ name: 'a' });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
