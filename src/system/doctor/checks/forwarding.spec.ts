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

describe('forwarding', () => {
  it('is skipped where no log is forwarded', () => {
    expect(forwardingFindings([], [])).toMatchObject([{ severity: Severity.Skipped, what: 'No log is forwarded.' }]);
  });

  it('is well while receivers can be reached and rows wait for less than ten minutes', () => {
    const findings = forwardingFindings([{ name: 'the file /var/log/lines', problem: null }], [{ ...standing, seconds: 600 }]);
    expect(findings).toMatchObject([{ severity: Severity.Ok, what: 'Logs are forwarded to the file /var/log/lines.' }]);
  });

  it('is faulty when a receiver cannot be reached, and when rows wait longer', () => {
    const findings = forwardingFindings(
      [{ name: 'logs.example:6514', problem: 'ECONNREFUSED' }],
      [standing, { ...standing, rows: 1, failure: null }],
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
});
