import { afterAll, beforeAll } from 'vitest';

import type { TestApp } from '../application/app.js';
import { MailServer } from '../stand-ins/mail-server.js';
import { testServer } from './test-server.js';

/** An application, and the mail server that gets its mail. */
export interface MailedServer {
  readonly server: TestApp;
  /** The mail server, once it has started. */
  readonly mails: () => MailServer;
  /** The code that the newest mail to an address brings. */
  readonly codeTo: (address: string) => Promise<string>;
}

/** The set-up of a spec: as {@link testServer}, with a mail server. */
export function testServerWithMail(env: Record<string, string> = {}): MailedServer {
  const configured = { ...env };
  let started: MailServer | undefined;
  beforeAll(async () => {
    started = await MailServer.start();
    Object.assign(configured, started.env, env);
  });
  afterAll(() => started?.stop());
  const mails = (): MailServer => {
    if (started === undefined) throw new Error('The mail server has not started yet: it does so before the first test.');
    return started;
  };
  return { server: testServer(configured), mails, codeTo: (address) => mails().codeTo(address) };
}
