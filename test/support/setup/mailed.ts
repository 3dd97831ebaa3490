import { afterAll, beforeAll } from 'vitest';

import { MailQueue } from '../../../src/people/mail/mail-queue.js';
import { AfterAnswer } from '../../../src/platform/common/concurrency/after-answer.js';
import type { TestApp } from '../application/app.js';
import { eventually } from '../eventually.js';
import { MailServer } from '../stand-ins/mail-server.js';
import { testServer } from './test-server.js';

/** An application, and the mail server that gets its mail. */
export interface MailedServer {
  readonly server: TestApp;
  /** The mail server, once it has started. */
  readonly mails: () => MailServer;
  /** The code that the newest mail to an address brings. */
  readonly codeTo: (address: string) => Promise<string>;
  /** Settles when nothing is left to do after answers, and all mail has been sent. */
  readonly settled: () => Promise<void>;
  /** Waits for mail that is under way, and forgets all: none of an earlier test comes later. */
  readonly forgetMails: () => Promise<void>;
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
  const server = testServer(configured);
  const settled = async (): Promise<void> => {
    for (const { app } of server.nodes) {
      await app.get(AfterAnswer).idle();
      await eventually('all mail has been sent', () => app.get(MailQueue).size === 0);
    }
  };
  const forgetMails = async (): Promise<void> => {
    await settled();
    mails().reset();
  };
  return { server, mails, codeTo: (address) => mails().codeTo(address), settled, forgetMails };
}
