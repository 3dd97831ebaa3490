import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describeOffline } from './describe-offline.js';
import { SURFACE_NAMES } from './system/openapi/surfaces.js';

/** The folder of the committed descriptions, which `npm run openapi:write` writes. */
const FOLDER = 'openapi';

await mkdir(FOLDER, { recursive: true });
const documents = await describeOffline();
for (const name of SURFACE_NAMES) {
  const path = join(FOLDER, `${name}.json`);
  await writeFile(path, `${JSON.stringify(documents[name], null, 2)}\n`);
  console.log(path);
}
