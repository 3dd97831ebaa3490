import { afterAll, it } from 'vitest';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { LiveSettings } from '../../../../src/platform/config/live-settings.js';
import { Settings } from '../../../../src/platform/config/settings.js';
import { Forwarder, ForwarderLimits } from '../../../../src/system/forwarding/forwarder.js';
import { ForwardingMetrics } from '../../../../src/system/forwarding/forwarding-metrics.js';
import { ForwardingRepository } from '../../../../src/system/forwarding/forwarding.repository.js';
import { eventually } from '../../../support/eventually.js';
import { testServer, testTenant } from '../../../support/setup/test-server.js';
import { PATIENT_MS, writeChange } from './write-change.js';

const folder = await mkdtemp(join(tmpdir(), 'forwarding-'));
const server = testServer();
const tenant = testTenant(server);

afterAll(() => rm(folder, { recursive: true, force: true }));

it('logs are forwarded to a file that is configured after the service has looked for destinations and found none', async () => {
  const file = join(folder, 'lines.jsonl');
  const of = <T>(type: abstract new (...args: never[]) => T): T => server.app.get(type, { strict: false });
  const settings = of(Settings);
  const live = new LiveSettings(settings);
  const forwarder = new Forwarder(of(ForwardingRepository), live.view, new ForwarderLimits(), of(ForwardingMetrics));
  await forwarder.onApplicationBootstrap();
  forwarder.look();
  live.take({ ...settings, forwarding: { ...settings.forwarding, file, logs: ['ChangeLog'] } });
  await eventually(
    'a change comes',
    async () => {
      await writeChange(server, tenant.id);
      forwarder.look();
      return (await readFile(file, 'utf8').catch(() => '')).includes(tenant.id);
    },
    PATIENT_MS,
  );
  await forwarder.beforeApplicationShutdown();
});
