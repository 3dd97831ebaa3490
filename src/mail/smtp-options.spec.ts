import { describe, expect, it } from '@jest/globals';

import { loadSettings } from '../config/load-settings.js';
import { smtpOptionsOf } from './smtp-options.js';

const COMPLETE = { SmtpHost: 'mail.example.org', SmtpEmail: 'service@example.org', SmtpDisplayName: 'Service' };
const ACCOUNT = { SmtpUserName: 'service', SmtpPassword: 'a password' };

function optionsOf(values: Readonly<Record<string, string>>) {
  const env = Object.fromEntries(Object.entries(values).map(([name, value]) => [`Service_AppOptions__${name}`, value]));
  return smtpOptionsOf(loadSettings({ env, cwd: '/nonexistent' }).settings.appOptions);
}

describe('the way to the mail server', () => {
  it.each(Object.keys(COMPLETE))('needs %s', (name) => {
    expect(optionsOf({ ...COMPLETE, [name]: '' })).toBeNull();
  });

  it('upgrades to encryption where the server can, and checks its certificate', () => {
    expect(optionsOf(COMPLETE)).toMatchObject({
      host: 'mail.example.org',
      port: 587,
      secure: false,
      requireTLS: false,
      tls: { rejectUnauthorized: true },
    });
    expect(optionsOf(COMPLETE)).not.toHaveProperty('auth');
  });

  it('is encrypted from the first byte on port 465', () => {
    expect(optionsOf({ ...COMPLETE, SmtpPort: '465' })).toMatchObject({ port: 465, secure: true });
  });

  it('carries a password over an encrypted connection only, except to this machine', () => {
    expect(optionsOf({ ...COMPLETE, ...ACCOUNT })).toMatchObject({ requireTLS: true, auth: { user: 'service', pass: 'a password' } });
    for (const SmtpHost of ['localhost', '127.0.0.1', '127.8.8.8', '::1']) {
      expect(optionsOf({ ...COMPLETE, ...ACCOUNT, SmtpHost })).toMatchObject({ requireTLS: false });
    }
    for (const SmtpHost of ['128.0.0.1', 'localhost.example.org', '::2']) {
      expect(optionsOf({ ...COMPLETE, ...ACCOUNT, SmtpHost })).toMatchObject({ requireTLS: true });
    }
  });

  it('needs both halves of the account', () => {
    expect(optionsOf({ ...COMPLETE, SmtpUserName: 'service' })).not.toHaveProperty('auth');
    expect(optionsOf({ ...COMPLETE, SmtpPassword: 'a password' })).not.toHaveProperty('auth');
  });

  it('has a deadline for every silence', () => {
    const timeouts = optionsOf({ ...COMPLETE, SmtpLocalDomain: 'service.example.org' });
    expect(timeouts).toMatchObject({ name: 'service.example.org' });
    for (const name of ['connectionTimeout', 'greetingTimeout', 'dnsTimeout', 'socketTimeout']) {
      expect(timeouts).toHaveProperty(name, expect.any(Number));
    }
  });
});
