import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { bundlePlatform } from '#libs/contracts';

import { AGENT_VERSION } from '../../agent/src/version.js';
import type { Service } from '../../demo/service.js';
import { Browser, PASSWORD } from '../support/callers/browser.js';
import { Machine, type Environment } from '../support/processes/service-process.js';

const EMAIL = 'admin@example.org';
const ADMINISTRATOR: Environment = { Service_Bootstrap__AdminEmail: EMAIL, Service_Bootstrap__AdminPassword: PASSWORD };
const OWN = bundlePlatform(process.platform, process.arch);
/** The npm client may have to fetch some 60 MB. */
const BUILD_MS = 300_000;

interface Bundles {
  readonly items: readonly {
    readonly platform: string;
    readonly state: string;
    readonly version: string | null;
    readonly failure: string | null;
  }[];
  readonly canBuild: boolean;
}

describe('the bundles of agents that the service builds', { timeout: 2 * BUILD_MS }, () => {
  let machine: Machine;

  beforeEach(async () => {
    machine = await Machine.open();
  });

  afterEach(() => machine.close());

  const start = (env: Environment): Promise<Service> =>
    machine.start({ ...ADMINISTRATOR, Service_AgentBundle__Folder: join(machine.folder, 'agent-bundles'), ...env });

  async function administratorAt(service: Service): Promise<Browser> {
    const browser = new Browser(service);
    expect((await browser.signIn({ userName: EMAIL }, PASSWORD)).status).toBe(200);
    return browser;
  }

  async function bundles(browser: Browser): Promise<Bundles> {
    return (await browser.get('/account/agent-bundles')).body as Bundles;
  }

  const own = ({ items }: Bundles) => items.find(({ platform }) => platform === OWN);

  it('has that of its own platform some time after its start, and can be stopped before', async () => {
    const first = await start({ Service_AgentBundle__BuildAtStart: 'true' });
    await first.program.untilPrints(/Building the bundle of the agent/);
    expect(await first.program.stop()).toEqual({ code: 0, signal: null });
    expect(await readdir(machine.dataPath)).not.toContain('agent-bundle-build');

    const service = await start({ Service_AgentBundle__BuildAtStart: 'true' });
    await service.program.untilPrints(/Built the bundle of the agent/, BUILD_MS);
    const browser = await administratorAt(service);
    expect(own(await bundles(browser))).toEqual({ platform: OWN, state: 'Available', version: AGENT_VERSION, failure: null });
    expect((await browser.get(`/downloads/${OWN}/device-agent.json`)).body).toMatchObject({ runtime: OWN, version: AGENT_VERSION });
    expect(await readdir(machine.dataPath)).not.toContain('agent-bundle-build');
  });

  it('says why a build failed', async () => {
    const programs = join(machine.folder, 'programs');
    await mkdir(programs);
    const service = await start({ PATH: programs });
    const browser = await administratorAt(service);
    expect(own(await bundles(browser))).toEqual({ platform: OWN, state: 'Missing', version: null, failure: null });
    const build = (platform: string) => browser.post(`/account/agent-bundles/${platform}/build`);

    expect((await build('plan9-x64')).status).toBe(404);
    expect((await build(OWN)).status).toBe(202);
    await service.program.untilPrints(/The bundle of the agent could not be built/);
    expect(own(await bundles(browser))).toEqual({
      platform: OWN,
      state: 'Failed',
      version: null,
      failure: 'npm is not installed on the server, or not on the PATH of the service.',
    });
    expect(await bundles(browser)).toMatchObject({ canBuild: true });
  });
});
