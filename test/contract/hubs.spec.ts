import { readdir, readFile } from 'node:fs/promises';

import { beforeAll, describe, expect, it } from 'vitest';

import { agentClient, agentHub, currentViewerMethods, DevicePermission, viewerClient, viewerHub, type HubMethod } from '#libs/contracts';

import { devicePermission, Permission, type PermissionDefinition } from '../../src/access/authorization/permissions/permission.js';
import { describeHubs } from '../../src/live/hubs/description/describe-hubs.js';
import { anchorOf } from '../../src/live/hubs/description/markdown.js';
import { typesOf } from '../../src/live/hubs/description/types.js';

const ROOT = new URL('../../', import.meta.url);

const tables: Readonly<Record<string, readonly HubMethod[]>> = {
  viewerHub: Object.values<HubMethod>(viewerHub),
  viewerClient: Object.values(viewerClient),
  agentHub: Object.values(agentHub),
  agentClient: Object.values(agentClient),
};
const methods = Object.entries(tables).flatMap(([table, its]) => its.map((method) => [`${table}.${method.name}`, method] as const));

/** The TypeScript sources of a folder, without tests. */
async function sourcesIn(folder: string): Promise<string[]> {
  const names = await readdir(new URL(folder, ROOT), { recursive: true });
  const sources = names.filter((name) => name.endsWith('.ts') && !name.endsWith('spec.ts'));
  return Promise.all(sources.map((name) => readFile(new URL(`${folder}/${name}`, ROOT), 'utf8')));
}

describe('docs/hubs.md', () => {
  let document: string;

  beforeAll(async () => {
    document = await readFile(new URL('docs/hubs.md', ROOT), 'utf8');
  });

  it('matches the descriptors (regenerate it with: npm run --silent hubs:describe > docs/hubs.md)', () => {
    expect(document.trimEnd()).toBe(describeHubs().trimEnd());
  });

  it('has links that each lead to exactly one heading', () => {
    const anchors = [...document.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading));
    expect(anchors).toEqual([...new Set(anchors)]);
    const targets = [...document.matchAll(/\]\(#([^)]*)\)/g)].map(([, anchor]) => anchor);
    expect(targets.length).toBeGreaterThan(anchors.length);
    expect(targets.filter((target) => !anchors.includes(target))).toEqual([]);
  });
});

describe('the descriptors of the hubs', () => {
  it.each(methods)('%s is described, with everything that it carries', (_, method) => {
    expect(method.description).toMatch(/^[A-Z].*\.$/);
    expect(method.parameterNames).toHaveLength(method.parameters.length);
    for (const { description } of typesOf([method]).records.values()) expect(description).toMatch(/^[A-Z].*\.$/);
  });

  it('name permissions of the catalogue', () => {
    const catalogue: Readonly<Record<string, PermissionDefinition>> = Permission;
    const names = Object.entries(DevicePermission).map(([key, name]) => [key, name, catalogue[`Device${key}`].name]);
    expect(names).toEqual(Object.entries(DevicePermission).map(([key, name]) => [key, name, name]));
    for (const { access } of currentViewerMethods) if ('permission' in access) expect(devicePermission(access.permission)).toBeDefined();
  });

  it('mark a client method as pending exactly if the service does not call it', async () => {
    const sources = (await sourcesIn('src')).join('\n');
    const called = new Set([...sources.matchAll(/\b(?:agentClient|viewerClient)\.\w+/g)].map(([name]) => name));
    for (const { relaysTo, pending } of currentViewerMethods)
      if (relaysTo !== undefined && pending !== true) called.add(`agentClient.${relaysTo}`);
    const clients = methods.filter(([name]) => /^(agent|viewer)Client\./.test(name));
    const uncalled = clients.map(([name]) => name).filter((name) => !called.has(name));
    expect(clients.filter(([, { pending }]) => pending === true).map(([name]) => name)).toEqual(uncalled);
  });
});

describe('the gateways of the viewer hub', () => {
  it('serve methods only through their rules', async () => {
    const sources = await sourcesIn('src/live/hubs/viewer');
    expect(sources.filter((source) => source.includes('@Serves(')).length).toBeGreaterThan(1);
    expect(sources.filter((source) => source.includes('@HubMethod('))).toEqual([]);
  });
});
