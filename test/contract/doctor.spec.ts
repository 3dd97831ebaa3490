import { readFile } from 'node:fs/promises';

import { expect, it } from 'vitest';

import { FINDINGS, type FindingKind } from '../../src/system/doctor/finding-kinds.js';
import { anchorOf, fault, FINDINGS_DOCUMENT } from '../../src/system/doctor/finding.js';

const KINDS = Object.keys(FINDINGS) as FindingKind[];

/** The rows of the document's tables of findings, without the spaces that align them. */
async function describedRows(): Promise<readonly string[]> {
  const text = await readFile(new URL(`../../${FINDINGS_DOCUMENT}`, import.meta.url), 'utf8');
  return text
    .split('\n')
    .filter((line) => line.startsWith('| <a id="doctor-'))
    .map((line) => line.replaceAll(/ +/g, ' ').trim());
}

function rowOf(kind: FindingKind): string {
  const { severity, why, remedy } = FINDINGS[kind];
  return `| <a id="${anchorOf(kind)}"></a>\`${kind}\` | ${severity.toLowerCase()} | ${why} | ${remedy} |`;
}

it('docs/operations.md describes every finding of the doctor as the doctor does, in the same order', async () => {
  expect(await describedRows()).toEqual(KINDS.map(rowOf));
});

it('every finding leads to an anchor that exists', async () => {
  const anchors = (await describedRows()).map((row) => `${FINDINGS_DOCUMENT}#${/id="([^"]+)"/.exec(row)?.[1]}`);
  expect(anchors).toEqual(KINDS.map((kind) => fault(kind, '').docs));
});
