import { afterAll, beforeAll } from 'vitest';

import type { TestApp } from './app.js';
import { MailServer } from './mail-server.js';
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
    Object.assign(configured, {
      Service_AppOptions__SmtpHost: '127.0.0.1',
      Service_AppOptions__SmtpPort: String(started.port),
      Service_AppOptions__SmtpEmail: 'service@example.org',
      Service_AppOptions__SmtpDisplayName: 'Devices',
    });
  });
  afterAll(() => started?.stop());
  const mails = (): MailServer => {
    if (started === undefined) throw new Error('The mail server has not started yet: it does so before the first test.');
    return started;
  };
  const codeTo = async (address: string): Promise<string> => {
    const { text = '' } = await mails().mailTo(address);
    const code = /#code=(\S+)/.exec(text)?.[1];
    if (code === undefined) throw new Error(`The mail to ${address} has no code: ${text}`);
    return code;
  };
  return { server: testServer(configured), mails, codeTo };
}
