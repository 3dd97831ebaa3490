import { describe, expect, it } from 'vitest';

import { loadSettings } from '../../platform/config/load-settings.js';
import { smtpOptionsOf } from './smtp-options.js';

const COMPLETE = { SmtpHost: 'mail.example.org', SmtpEmail: 'service@example.org', SmtpDisplayName: 'Service' };
const ACCOUNT = { SmtpUserName: 'service', SmtpPassword: 'a password' };

function optionsOf(values: Readonly<Record<string, string>>) {
  const env = Object.fromEntries(Object.entries(values).map(([name, value]) => [`Service_AppOptions__${name}`, value]));
  return smtpOptionsOf(loadSettings({ env, cwd: '/nonexistent' }).settings.appOptions);
}

describe('the options for the mail server', () => {
  it.each(Object.keys(COMPLETE))('require %s', (name) => {
    expect(optionsOf({ ...COMPLETE, [name]: '' })).toBeNull();
  });

  it('use encryption if the server supports it, and verify its certificate', () => {
    expect(optionsOf(COMPLETE)).toMatchObject({
      host: 'mail.example.org',
      port: 587,
      secure: false,
      requireTLS: false,
      tls: { rejectUnauthorized: true },
    });
    expect(optionsOf(COMPLETE)).not.toHaveProperty('auth');
  });

  it('use encryption from the first byte on port 465', () => {
    expect(optionsOf({ ...COMPLETE, SmtpPort: '465' })).toMatchObject({ port: 465, secure: true });
  });

  it('send a password over an encrypted connection only, except to this machine', () => {
    expect(optionsOf({ ...COMPLETE, ...ACCOUNT })).toMatchObject({ requireTLS: true, auth: { user: 'service', pass: 'a password' } });
    for (const SmtpHost of ['localhost', '127.0.0.1', '127.8.8.8', '::1']) {
      expect(optionsOf({ ...COMPLETE, ...ACCOUNT, SmtpHost })).toMatchObject({ requireTLS: false });
    }
    for (const SmtpHost of ['128.0.0.1', 'localhost.example.org', '::2']) {
      expect(optionsOf({ ...COMPLETE, ...ACCOUNT, SmtpHost })).toMatchObject({ requireTLS: true });
    }
  });

  it('require user name and password together', () => {
    expect(optionsOf({ ...COMPLETE, SmtpUserName: 'service' })).not.toHaveProperty('auth');
    expect(optionsOf({ ...COMPLETE, SmtpPassword: 'a password' })).not.toHaveProperty('auth');
  });

  it('set a time limit for each wait', () => {
    const timeouts = optionsOf({ ...COMPLETE, SmtpLocalDomain: 'service.example.org' });
    expect(timeouts).toMatchObject({ name: 'service.example.org' });
    for (const name of ['connectionTimeout', 'greetingTimeout', 'dnsTimeout', 'socketTimeout']) {
      expect(timeouts).toHaveProperty(name, expect.any(Number));
    }
  });
});
