import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Program } from '../../demo/program.js';
import { plainEnvironment } from '../../demo/service.js';
import { fileOf, type Need } from '../harness/bench-part.js';
import type { NodesScene } from './nodes-scene.js';
import { keptPort } from './ports.js';
import { until } from '../harness/until.js';

export const HAPROXY: Need = { program: 'haproxy', debianPackage: 'haproxy' };

const FILE = fileURLToPath(new URL('../../../deploy/proxies/haproxy-nodes.cfg', import.meta.url));
/** Connections, of which each needs two file descriptors; a process may often have 20,000. */
const CONNECTIONS = 8_000;

/** HAProxy with the shipped file before the nodes of a scene, without TLS. */
export class Haproxy {
  private constructor(
    readonly url: string,
    private readonly program: Program,
  ) {}

  static async before({ directory, nodes }: NodesScene): Promise<Haproxy> {
    const port = await keptPort();
    const parts: [string, string][] = [
      ['maxconn 50000', `maxconn ${CONNECTIONS}`],
      ['bind :443 ssl crt /etc/ssl/devices.pem alpn h2,http/1.1', `bind 127.0.0.1:${port}`],
      ['-i devices.example.org', '-i 127.0.0.1'],
      ...nodes.map(({ url }, index): [string, string] => [`node-${index + 1}:8080`, new URL(url).host]),
    ];
    const shipped = await readFile(FILE, 'utf8');
    const config = join(directory, 'haproxy.cfg');
    await writeFile(config, parts.reduce(replaced, shipped));
    const program = Program.start('HAProxy', [fileOf(HAPROXY.program) ?? HAPROXY.program, '-f', config], {
      cwd: directory,
      env: plainEnvironment(),
      inOwnGroup: true,
    });
    const haproxy = new Haproxy(`http://127.0.0.1:${port}`, program);
    await until('HAProxy passes requests on', async () => {
      if (!program.isRunning) throw new Error(program.output);
      return (await fetch(`${haproxy.url}/health`).catch(() => null))?.status === 200;
    });
    return haproxy;
  }

  async stop(): Promise<void> {
    await this.program.kill();
  }
}

function replaced(text: string, [shipped, own]: readonly [string, string]): string {
  if (!text.includes(shipped)) throw new Error(`haproxy-nodes.cfg has no "${shipped}".`);
  return text.replace(shipped, own);
}
