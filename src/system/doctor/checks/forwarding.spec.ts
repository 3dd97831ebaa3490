import { describe, expect, it } from 'vitest';

import { Severity } from '../finding.js';
import { forwardingFindings } from './forwarding.js';

const standing = {
  destination: 'Http',
  log: 'ChangeLog',
  rows: 3,
  seconds: 601,
  lost: 0,
  failingSince: null,
  failure: 'The receiver answered 500.',
};

const NOW = Date.parse('2026-11-28T12:00:00Z');

describe('forwarding', () => {
  it('is skipped where no log is forwarded', () => {
    expect(forwardingFindings([], [], NOW)).toMatchObject([{ severity: Severity.Skipped, what: 'No log is forwarded.' }]);
  });

  it('is well while receivers can be reached and rows wait for less than ten minutes', () => {
    const receiver = { name: 'the file /var/log/lines', problem: null, certificateEnd: null };
    const findings = forwardingFindings([receiver], [{ ...standing, seconds: 600 }], NOW);
    expect(findings).toMatchObject([{ severity: Severity.Ok, what: 'Logs are forwarded to the file /var/log/lines.' }]);
  });

  it('is faulty when a receiver cannot be reached, and when rows wait longer', () => {
    const findings = forwardingFindings(
      [{ name: 'logs.example:6514', problem: 'ECONNREFUSED', certificateEnd: null }],
      [standing, { ...standing, rows: 1, failure: null }],
      NOW,
    );
    expect(findings.map(({ kind, what }) => [kind, what])).toEqual([
      ['forwarding-unreachable', 'Logs cannot be forwarded to logs.example:6514: ECONNREFUSED'],
      [
        'forwarding-late',
        '3 rows of ChangeLog wait for the destination Http, the oldest for 10 minutes. The last attempt failed: The receiver answered 500.',
      ],
      ['forwarding-late', '1 row of ChangeLog waits for the destination Http, the oldest for 10 minutes.'],
    ]);
  });

  it.each([
    ['2026-12-13T12:00:00Z', []],
    ['2026-12-04T13:00:00Z', ['The certificate that the service shows to logs.example:6514 ends on 2026-12-04, in 6 days.']],
    ['2026-11-28T12:00:00Z', ['The certificate that the service shows to logs.example:6514 ended on 2026-11-28.']],
  ])('has a certificate that ends at %s', (end, sentences) => {
    const receiver = { name: 'logs.example:6514', problem: null, certificateEnd: new Date(end) };
    const faults = forwardingFindings([receiver], [], NOW).filter(({ kind }) => kind === 'forwarding-certificate');
    expect(faults.map(({ what }) => what)).toEqual(sentences);
  });
});
