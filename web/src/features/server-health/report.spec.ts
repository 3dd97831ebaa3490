import { expect, it } from 'vitest';

import type { HealthFinding } from '../../api/system/server-health.js';
import { byArea, countOf } from './report.js';

const finding = (area: HealthFinding['area'], severity: HealthFinding['severity'], what: string): HealthFinding => ({
  area,
  severity,
  what,
  kind: null,
  why: null,
  remedy: null,
  docs: null,
});

const FINDINGS = [
  finding('Configuration', 'Ok', 'one'),
  finding('Mail', 'Skipped', 'two'),
  finding('Proxy', 'Warning', 'three'),
  finding('Address', 'Ok', 'four'),
  finding('Address', 'Failure', 'five'),
  finding('Proxy', 'Warning', 'six'),
];

it('parts with the worst findings come first, and so do the worst findings of a part', () => {
  expect(byArea(FINDINGS).map(({ area, severity, findings }) => [area, severity, findings.map(({ what }) => what)])).toEqual([
    ['Address', 'Failure', ['five', 'four']],
    ['Proxy', 'Warning', ['three', 'six']],
    ['Configuration', 'Ok', ['one']],
    ['Mail', 'Skipped', ['two']],
  ]);
});

it('findings are counted by severity', () => {
  expect(countOf(FINDINGS, 'Warning')).toBe(2);
  expect(countOf([], 'Failure')).toBe(0);
});
