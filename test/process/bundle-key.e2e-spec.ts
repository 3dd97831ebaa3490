import { generateKeyPairSync } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';

import type { AgentBundle } from '#libs/contracts';

import type { Service } from '../../demo/service.js';
import { createTestDatabase } from '../support/brokers/postgres.js';
import { builtProject, onDatabase, onMachine, type Environment, type Machine } from '../support/processes/service-process.js';

/*
 * Agents take updates that are signed with the key that they met at their installation. Processes with a data folder each, as earlier
 * versions had a key each, must sign with one.
 */

const KEY_FILE = 'agent-bundle-key.pem';

const it = onMachine.extend('shared', async ({ onTestFinished }) => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  return { ...onDatabase(database), DEVICE_MANAGEMENT_TESTS_SHARE_DATABASE: 'yes' } satisfies Environment;
});

/** A data folder with an agent to download. */
async function folderOf(machine: Machine, name: string): Promise<string> {
  const folder = join(machine.folder, name);
  const downloads = join(folder, 'downloads', 'linux-x64');
  await mkdir(downloads, { recursive: true });
  await writeFile(join(downloads, 'device-agent.tar.gz'), 'the agent');
  await writeFile(join(downloads, 'device-agent.version'), '1.2.3.0');
  return folder;
}

function writeKey(folder: string): Promise<void> {
  const { privateKey } = generateKeyPairSync('ed25519');
  return writeFile(join(folder, KEY_FILE), privateKey.export({ type: 'pkcs8', format: 'pem' }));
}

async function signatureOf({ url }: Service): Promise<Pick<AgentBundle, 'publicKey' | 'signature'>> {
  const { publicKey, signature } = (await (await fetch(`${url}/downloads/linux-x64/device-agent.json`)).json()) as AgentBundle;
  return { publicKey, signature };
}

describe.concurrent('the key of agent bundles', () => {
  beforeAll(builtProject);

  it('is one for all data folders on one database, and taken over from the first that has one', async ({ machine, shared }) => {
    const [former, fresh] = [await folderOf(machine, 'former'), await folderOf(machine, 'fresh')];
    await writeKey(former);
    const first = await machine.start({ ...shared, Service_DataPath: former });
    const signature = await signatureOf(first);
    expect(await signatureOf(await machine.start({ ...shared, Service_DataPath: fresh }))).toEqual(signature);
    // The file is found again at each start, and is the same.
    await first.program.kill();
    expect(await signatureOf(await machine.start({ ...shared, Service_DataPath: former }))).toEqual(signature);
  });

  it('stops a process whose data folder has another one, with a sentence that names both files', async ({ machine, shared }) => {
    const [one, other] = [await folderOf(machine, 'one'), await folderOf(machine, 'other')];
    await writeKey(one);
    await writeKey(other);
    await machine.start({ ...shared, Service_DataPath: one });
    const program = machine.launch({ ...shared, Service_DataPath: other });
    expect(await program.untilEnd()).toMatchObject({ code: 1 });
    for (const folder of [one, other]) expect(program.output).toContain(join(folder, KEY_FILE));
    expect(program.output).toContain('Agents take updates of one key only');
  });

  it('is not guessed from a file that holds none', async ({ machine, shared }) => {
    const folder = await folderOf(machine, 'broken');
    await writeFile(join(folder, KEY_FILE), 'no key');
    const program = machine.launch({ ...shared, Service_DataPath: folder });
    expect(await program.untilEnd()).toMatchObject({ code: 1 });
    expect(program.output).toContain(`${join(folder, KEY_FILE)} must hold an Ed25519 key.`);
  });
});
