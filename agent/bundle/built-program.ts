import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Folders of sources that are compiled into a bundle, or build it. Their compiled files are at the same place below `dist`. */
const SOURCES = ['agent/src', 'agent/bundle', 'libs/contracts/src', 'libs/desktop-stream/src', 'libs/signalr/src/wire'];

/** Version of the agent that a project has compiled, which its sources may be ahead of. */
export async function builtVersion(project: string): Promise<string> {
  const built = (await import(pathToFileURL(join(project, 'dist/agent/src/version.js')).href)) as { readonly AGENT_VERSION?: unknown };
  if (typeof built.AGENT_VERSION !== 'string') throw new Error('dist/agent/src/version.js has no AGENT_VERSION. Run npm run build.');
  return built.AGENT_VERSION;
}

/** A source that is newer than its compiled file, or has none; undefined when all are compiled. */
export async function sourceNewerThanDist(project: string): Promise<string | undefined> {
  for (const folder of SOURCES) {
    const names = await readdir(join(project, folder), { recursive: true });
    for (const name of names.filter((path) => path.endsWith('.ts') && !/\.(spec|d)\.ts$/.test(path)).sort()) {
      const changed = await changedAt(join(project, folder, name));
      const compiled = await changedAt(join(project, 'dist', folder, name.replace(/\.ts$/, '.js')));
      if (changed !== undefined && (compiled === undefined || compiled < changed)) return `${folder}/${name}`;
    }
  }
  return undefined;
}

/** Returns the time when a file was changed, in milliseconds; undefined if there is no file. */
async function changedAt(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
