import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { sourceNewerThanDist } from './built-program.js';
import { buildBundle, writeInstallers } from './build.js';
import { PLATFORMS } from './platforms.js';

/*
 * Builds the bundles of the agent into `agent-bundles`, from where the service hands them out.
 * `--only <platform>` builds one of them, `--node <program>` with this Node.js, `--output <folder>` elsewhere.
 */

const project = fileURLToPath(new URL('../../..', import.meta.url));
const { values } = parseArgs({ options: { only: { type: 'string' }, node: { type: 'string' }, output: { type: 'string' } } });
const output = resolve(values.output ?? fileURLToPath(new URL('../../../agent-bundles', import.meta.url)));
const wanted = PLATFORMS.filter(({ runtime }) => values.only === undefined || runtime === values.only);
if (wanted.length === 0) throw new Error(`--only must be one of ${PLATFORMS.map(({ runtime }) => runtime).join(', ')}.`);
const newer = await sourceNewerThanDist(project);
if (newer !== undefined)
  process.stderr.write(`Warning: ${newer} is newer than dist, so the bundles do not have it. Run npm run build first.\n`);
try {
  await writeInstallers(project, output);
  for (const platform of wanted) {
    const archive = await buildBundle({ project, platform, output, ...(values.node !== undefined && { node: values.node }) });
    process.stdout.write(`${archive}\n`);
  }
} catch (error) {
  // Without its stack: pages show this.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
