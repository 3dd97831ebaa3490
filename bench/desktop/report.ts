import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { CHROMIUM_PATH, hasChromium } from '../../demo/chromium.js';
import { circumstances, tableOf } from '../harness/report.js';
import { type Beginning, loadNow } from '../web/report.js';
import type { DesktopResult } from './desktop-bench.js';

/** The results in Markdown: where and when they were measured, one row per figure, and what was skipped. */
export async function desktopReportOf(results: readonly DesktopResult[], begun: Beginning): Promise<string> {
  const skipped = results.flatMap((result) => result.skipped ?? []);
  return `Written by \`npm run bench -- desktop\`. The real service, the reference agent beside Xvfb with 1920×1080 pixels, and the page in Chromium, on the same
processors. A figure is the median of its rounds; baselines were measured in the same run, in turns.

${await circumstances(begun.at)}
- Browser: ${hasChromium ? `${await versionOf()}, without a graphics card` : 'none'}
- Load of the machine when it began: ${begun.load.toFixed(1)}, when it ended: ${loadNow().toFixed(1)}; above 0.5 other programs were at work

${tableOf(
  results.flatMap(({ findings }) => findings),
  'Measured',
)}${skipped.length === 0 ? '' : `\nNot measured:\n\n${skipped.map((sentence) => `- ${sentence}`).join('\n')}\n`}`;
}

async function versionOf(): Promise<string> {
  const { stdout } = await promisify(execFile)(CHROMIUM_PATH, ['--version']);
  return stdout.trim();
}
