import { describe, expect, it } from 'vitest';

import type { AgentBundle } from '../../api/devices/agent-bundles.js';
import type { ServerOption } from '../../api/system/server-settings.js';
import { differs, mailServerOf, senderOf, sendsMail, stateOfBundles } from './states.js';

const bundle = (state: AgentBundle['state'], version: string | null): AgentBundle => ({
  platform: 'linux-x64',
  state,
  version,
  failure: null,
});

function option(key: string, value: string | null): ServerOption {
  return {
    key,
    variable: key,
    meaning: '',
    expected: '',
    isSecret: false,
    isSet: value !== null,
    isDefault: false,
    isMissing: false,
    value,
  };
}

describe('the settings of the server', () => {
  it('compare the public address with that of the browser by scheme, host and port', () => {
    expect(differs(null, 'http://localhost:8080')).toBe(false);
    expect(differs('https://devices.example.org/path', 'https://devices.example.org')).toBe(false);
    expect(differs('https://devices.example.org', 'http://devices.example.org')).toBe(true);
    expect(differs('https://devices.example.org', 'https://devices.example.org:8443')).toBe(true);
  });

  it('call agents set up with one platform, unless a build has failed', () => {
    expect(stateOfBundles([bundle('Missing', null), bundle('Building', null)])).toBe('NotSetUp');
    expect(stateOfBundles([bundle('Missing', null), bundle('Available', '1.0.0.0')])).toBe('SetUp');
    expect(stateOfBundles([bundle('Available', '1.0.0.0'), bundle('Failed', null)])).toBe('NeedsAttention');
  });

  it('offer a test mail where mail is sent, also after one that failed', () => {
    expect(sendsMail([{ kind: 'MailFailed' }])).toBe(true);
    expect(sendsMail([{ kind: 'MailKeptInFolder' }])).toBe(true);
    expect(sendsMail([{ kind: 'MailSwitchedOff' }, { kind: 'MailNotSent' }])).toBe(false);
    expect(sendsMail([{ kind: 'MailNeedsAddress' }])).toBe(false);
  });

  it('name mail server and sender as far as they are set', () => {
    const port = option('AppOptions:SmtpPort', '587');
    expect(mailServerOf([option('AppOptions:SmtpHost', null), port])).toBe('');
    expect(mailServerOf([option('AppOptions:SmtpHost', '2001:db8::1'), port])).toBe('[2001:db8::1]:587');
    expect(senderOf([option('AppOptions:SmtpDisplayName', 'Devices'), option('AppOptions:SmtpEmail', 'd@example.org')])).toBe(
      'Devices <d@example.org>',
    );
    expect(senderOf([option('AppOptions:SmtpDisplayName', null), option('AppOptions:SmtpEmail', null)])).toBe('');
  });
});
