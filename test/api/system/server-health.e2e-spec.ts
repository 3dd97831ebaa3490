import { describe, expect, it } from 'vitest';

import type { ServerHealthResponseDto } from '../../../src/system/doctor/doctor.dto.js';
import { TestApp } from '../../support/application/app.js';
import { testServer } from '../../support/setup/test-server.js';
import { MailServer } from '../../support/stand-ins/mail-server.js';

const PATH = '/account/server-health';

describe('the health of the server', () => {
  const server = testServer({ Service_AppOptions__EnableNetworkTrust: 'true' });

  it('is not known before the first examination, whose report stays', async () => {
    expect((await server.client().get(PATH)).body).toEqual({ report: null });
    const { status, body } = await server.client().post(PATH);
    expect(status).toBe(200);
    const { report } = body as ServerHealthResponseDto;
    expect(report?.findings).toContainEqual({
      area: 'Configuration',
      kind: 'network-trusted',
      severity: 'Warning',
      what: 'AppOptions:EnableNetworkTrust is on.',
      why: expect.stringContaining('Every client') as string,
      remedy: expect.stringContaining('AppOptions:KnownProxies') as string,
      docs: 'docs/operations.md#doctor-network-trusted',
    });
    expect((await server.client().get(PATH)).body).toEqual(body);
  });
});

describe('a report', () => {
  it('is forgotten with the processes that ran when it was made', async () => {
    const server = await TestApp.start();
    expect((await server.client().post(PATH)).status).toBe(200);
    await server.close();
    const next = await server.startAgain();
    try {
      expect((await next.client().get(PATH)).body).toEqual({ report: null });
    } finally {
      await next.stop();
    }
  });
});

describe('examinations at the same time', () => {
  it('are one, and so is one that follows at once', async () => {
    const mail = await MailServer.start();
    let connections = 0;
    mail.handlers = {
      onAuth: ({ username }, _session, done) => {
        connections += 1;
        done(null, { user: username });
      },
    };
    const server = new TestApp({
      ...mail.env,
      Service_AppOptions__SmtpUserName: 'devices',
      Service_AppOptions__SmtpPassword: 'a password',
    });
    await server.start();
    // An answer holds for ten seconds.
    server.clock.stop();
    try {
      const answers = await Promise.all([1, 2, 3].map(() => server.client().post(PATH)));
      const [{ body }] = answers;
      expect(answers.map((answer) => answer.body)).toEqual([body, body, body]);
      server.clock.advance(9_000);
      expect((await server.client().post(PATH)).body).toEqual(body);
      expect(connections).toBe(1);
      server.clock.advance(2_000);
      expect((await server.client().post(PATH)).body).not.toEqual(body);
      expect([connections, mail.received]).toEqual([2, []]);
      // A clock that is put back makes no report a new one.
      server.clock.advance(-3_600_000);
      await server.client().post(PATH);
      expect(connections).toBe(3);
    } finally {
      await server.stop();
      await mail.stop();
    }
  });
});
