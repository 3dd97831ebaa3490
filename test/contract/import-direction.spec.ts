import { beforeAll, describe, expect, it } from 'vitest';

import { type Import, importsOf, membersOfCircles, sourcesOf } from './import-graph.js';

const PROGRAMS = ['agent', 'libs', 'src', 'web'];

/** The wings of `src`, and the other wings that each may import. */
const WINGS: Readonly<Record<string, readonly string[]>> = {
  platform: [],
  access: ['platform'],
  tenants: ['platform', 'access'],
  people: ['platform', 'access', 'tenants'],
  devices: ['platform', 'access', 'tenants'],
  system: ['platform', 'access', 'tenants', 'people', 'devices'],
  live: ['platform', 'access', 'tenants', 'people', 'devices', 'system'],
};

/** The rooms that others are built on, and the rooms that each may import. All other rooms are resources or edges. */
const FOUNDATIONS: Readonly<Record<string, readonly string[]>> = {
  'platform/config': [],
  'platform/common': ['platform/config'],
  'platform/http': ['platform/config', 'platform/common'],
  'platform/database': ['platform/config', 'platform/common'],
  'access/authentication': ['platform/config', 'platform/common', 'platform/http', 'platform/database'],
  'access/authorization': ['platform/config', 'platform/common', 'platform/http', 'platform/database', 'access/authentication'],
};

/** Rooms that may import all others and that no other room may import. */
const EDGES = ['live/hubs', 'live/nodes', 'live/relay', 'system/openapi', 'system/web'];

/**
 * Files of outer rooms that controllers may import: the decorators that describe routes, and the ones that give a route its internal twin.
 */
const OPEN_TO_CONTROLLERS = ['src/system/openapi/operation.ts', 'src/system/internal-surface/internal-twin.ts'];

/** The folders of libs/signalr/src from the inside to the outside. The files that lie in `src` itself are between `runtime` and `nest`. */
const SIGNALR_LAYERS = [
  'wire',
  'protocol',
  'transports',
  'runtime',
  'runtime/limits',
  'runtime/streams',
  'runtime/calls',
  'runtime/connection',
  'runtime/hub',
  '',
  'nest',
];

/** The part of libs/signalr without the server, which the contract is written with. */
const SIGNALR_WIRE = 'libs/signalr/wire';

/** The parts of other libraries that a library may use: how values are described, and the bytes of MessagePack and of frames. */
const LIBRARY_PARTS: Readonly<Record<string, readonly string[]>> = {
  contracts: [SIGNALR_WIRE],
  'desktop-stream': [SIGNALR_WIRE, 'libs/contracts/wire'],
};

/** The libraries that agent and front end share with the service. */
const SHARED_LIBRARIES = ['libs/contracts', 'libs/desktop-stream'];

/** The layer of a file of libs/signalr. `index.ts` and the example are in the outermost one, except that of `wire`, which stands alone. Tests of `runtime` may use all of it. */
function signalrLayer(path: string): number {
  const folder = path.split('/').slice(3, -1).join('/');
  const isOutermost = (path.endsWith('/index.ts') && folder !== 'wire') || !path.startsWith('libs/signalr/src/');
  if (isOutermost) return SIGNALR_LAYERS.length;
  const isTest = folder.startsWith('runtime') && /\.(spec|fixture)\.ts$/.test(path);
  return SIGNALR_LAYERS.indexOf(isTest ? 'runtime/hub' : folder);
}

/** The wing of a file of `src` and its room, `<wing>/<folder>`. Files outside the wings, and outside the rooms of a wing, put others together. */
function placeOf(path: string): { readonly wing?: string; readonly room?: string } {
  const [, wing, folder, file] = path.split('/');
  if (folder === undefined) return {};
  return file === undefined ? { wing } : { wing, room: `${wing}/${folder}` };
}

/** The rule that an import breaks, or null. Both paths are relative to the root of the project; a library is `libs/<name>`. */
function brokenRule(from: string, to: string): string | null {
  const [program, library] = from.split('/');
  const [targetProgram, targetLibrary] = to.split('/');
  if (program === 'agent' || program === 'web') {
    const isShared = SHARED_LIBRARIES.some((each) => to === each || to.startsWith(`${each}/`));
    return targetProgram === program || isShared ? null : `${program} uses ${SHARED_LIBRARIES.join(' and ')} only`;
  }
  if (program === 'libs') {
    if (library in LIBRARY_PARTS && LIBRARY_PARTS[library].includes(to)) return null;
    if (targetProgram !== 'libs' || targetLibrary !== library) return 'a library uses nothing of the project';
    return library === 'signalr' && signalrLayer(from) < signalrLayer(to) ? 'libs/signalr imports from its inner layers only' : null;
  }
  if (targetProgram === 'libs' || placeOf(from).wing === undefined) return null;
  if (targetProgram === 'test' && from.endsWith('.spec.ts')) return null;
  if (targetProgram !== 'src') return 'the service does not use other programs';
  return brokenRuleOfService(from, to);
}

/** The rule that an import from one file of `src` to another breaks, or null. */
function brokenRuleOfService(from: string, to: string): string | null {
  const { wing = '', room } = placeOf(from);
  const { wing: targetWing, room: targetRoom } = placeOf(to);
  if (OPEN_TO_CONTROLLERS.includes(to) && /\.(controller|internal|spec)\.ts$/.test(from)) return null;
  if (targetWing === undefined) return `the wing ${wing} uses nothing of what puts the wings together`;
  if (targetWing !== wing && !WINGS[wing].includes(targetWing))
    return `the wing ${wing} uses only ${WINGS[wing].join(', ') || 'libraries'}`;
  if (targetRoom === undefined) return `only app.module.ts uses the wing module of ${targetWing}`;
  if (room === undefined || targetRoom === room) return null;
  const allowed = FOUNDATIONS[room];
  if (allowed !== undefined) return allowed.includes(targetRoom) ? null : `${room} uses only ${['libs', ...allowed].join(', ')}`;
  if (/\.(entity|repository)\.ts$/.test(to) && FOUNDATIONS[targetRoom] === undefined) {
    return 'a room reaches another through its exported service, never through its entities or repositories';
  }
  if (EDGES.includes(targetRoom) && !EDGES.includes(room)) return `nothing inside uses the edge ${targetRoom}`;
  return null;
}

/** The rooms of `src` that import themselves through others. */
function roomsInCircles(imports: readonly Import[]): string[] {
  const betweenRooms = imports.flatMap(({ from, to }) => {
    if (!from.startsWith('src/') || !to.startsWith('src/') || OPEN_TO_CONTROLLERS.includes(to)) return [];
    const { room } = placeOf(from);
    const { room: targetRoom } = placeOf(to);
    // Files outside the rooms connect them. An edge may read all of them, as the API description does.
    if (room === undefined || targetRoom === undefined) return [];
    return room === targetRoom || EDGES.includes(room) ? [] : [{ from: room, to: targetRoom }];
  });
  return membersOfCircles(betweenRooms);
}

/** The files of a program that import themselves through others, including type imports. */
function filesInCircles(program: string, imports: readonly Import[]): string[] {
  return membersOfCircles(imports.filter(({ from, to }) => from.startsWith(`${program}/`) && to.startsWith(`${program}/`)));
}

describe('the direction of imports', () => {
  let imports: Import[];

  beforeAll(async () => {
    const paths = (await Promise.all(PROGRAMS.map(sourcesOf))).flat();
    expect(paths.length).toBeGreaterThan(100);
    imports = (await Promise.all(paths.map(importsOf))).flat();
    expect(imports.length).toBeGreaterThan(paths.length);
  });

  it('is followed in every file', () => {
    const broken = imports.flatMap(({ from, to }) => {
      const rule = brokenRule(from, to);
      return rule === null ? [] : [`${from} imports ${to}: ${rule}`];
    });
    expect(broken).toEqual([]);
  });

  it('has no cycles between rooms', () => {
    expect(roomsInCircles(imports)).toEqual([]);
    const back = { from: 'src/tenants/tenants/tenants.service.ts', to: 'src/devices/devices/devices.service.ts' };
    expect(roomsInCircles([...imports, back])).toEqual(expect.arrayContaining(['devices/devices', 'tenants/tenants']));
  });

  it.each([
    ['libs', { from: 'libs/signalr/src/runtime/connection/hub-connection.ts', to: 'libs/signalr/src/runtime/hub/hub.ts' }],
    ['src', { from: 'src/devices/tags/tags.repository.ts', to: 'src/devices/tags/tags.service.ts' }],
    ['agent', { from: 'agent/src/agent.ts', to: 'agent/src/main.ts' }],
  ])('has no cycles between files of %s', (program, back) => {
    expect(filesInCircles(program, imports)).toEqual([]);
    expect(filesInCircles(program, [...imports, back])).toEqual(expect.arrayContaining([back.from, back.to]));
  });

  it.each(Object.keys(WINGS).flatMap((wing) => Object.keys(WINGS).flatMap((target) => (wing === target ? [] : [[wing, target]]))))(
    'lets the wing %s import %s only where it may',
    (wing, target) => {
      const rule = brokenRule(`src/${wing}/room/file.ts`, `src/${target}/other/file.ts`);
      if (WINGS[wing].includes(target)) expect(rule).toBeNull();
      else expect(rule).toContain(`the wing ${wing} uses only`);
    },
  );

  it.each([
    ['src/people/users/users.service.ts', 'src/platform/platform.wing.ts'],
    ['src/people/users/users.service.ts', 'src/entities.ts'],
    ['src/people/users/users.service.ts', 'src/system/openapi/operation.ts'],
    ['src/people/users/users.controller.ts', 'src/system/openapi/schemas.ts'],
    ['libs/signalr/src/index.ts', 'src/platform/common/runtime/clock.ts'],
    ['libs/signalr/src/index.ts', 'libs/contracts'],
    ['libs/contracts/src/signing.ts', 'libs/signalr'],
    ['libs/contracts/src/signing.ts', 'libs/desktop-stream'],
    ['libs/desktop-stream/src/index.ts', 'libs/contracts'],
    ['libs/desktop-stream/src/index.ts', 'libs/signalr'],
    ['agent/src/agent.ts', 'libs/signalr/wire'],
    ['libs/local-postgres/src/index.ts', 'libs/signalr/wire'],
    ['libs/signalr/src/wire/messagepack-writer.ts', 'libs/signalr/src/protocol/messages.ts'],
    ['libs/signalr/src/wire/index.ts', 'libs/signalr/src/transports/frame-writer.ts'],
    ['libs/signalr/src/protocol/json-protocol.ts', 'libs/signalr/src/runtime/errors.ts'],
    ['libs/signalr/src/runtime/errors.ts', 'libs/signalr/src/runtime/limits/hub-limits.ts'],
    ['libs/signalr/src/runtime/limits/backlog.ts', 'libs/signalr/src/runtime/streams/uploads.ts'],
    ['libs/signalr/src/runtime/streams/uploads.ts', 'libs/signalr/src/runtime/calls/client-results.ts'],
    ['libs/signalr/src/runtime/calls/encoded-call.ts', 'libs/signalr/src/runtime/connection/outbox.ts'],
    ['libs/signalr/src/runtime/connection/outbox.ts', 'libs/signalr/src/runtime/hub/backplane.ts'],
    ['libs/signalr/src/runtime/hub/hub.ts', 'libs/signalr/src/signalr-server.ts'],
    ['libs/signalr/src/signalr-server.ts', 'libs/signalr/src/nest/decorators.ts'],
    ['libs/signalr/src/runtime/hub/hub.ts', 'libs/signalr/src/index.ts'],
    ['src/platform/common/runtime/clock.ts', 'src/platform/database/queries/unit-of-work.ts'],
    ['src/platform/config/options.ts', 'src/platform/common/runtime/clock.ts'],
    ['src/platform/common/runtime/clock.ts', 'src/platform/http/bodies/json-body.ts'],
    ['src/platform/database/queries/unit-of-work.ts', 'src/platform/http/bodies/json-body.ts'],
    ['src/platform/database/queries/unit-of-work.ts', 'src/access/authentication/principals/principal.ts'],
    ['src/access/authentication/principals/principal.ts', 'src/access/authorization/guard/access.ts'],
    ['src/access/authorization/guard/access.ts', 'src/tenants/tenants/tenants.service.ts'],
    ['src/access/authorization/guard/access.ts', 'src/app.module.ts'],
    ['src/devices/tags/tags.service.ts', 'src/devices/devices/device.entity.ts'],
    ['src/devices/tags/tags.service.ts', 'src/devices/devices/devices.repository.ts'],
    ['src/live/hubs/agent/agent.gateway.ts', 'src/devices/devices/device.entity.ts'],
    ['src/devices/tags/tags.service.ts', 'src/live/hubs/hubs.module.ts'],
    ['src/devices/tags/tags.service.ts', 'src/system/openapi/describe.ts'],
    ['src/devices/tags/tags.service.ts', 'agent/src/agent.ts'],
    ['src/devices/tags/tags.service.ts', 'test/support/application/app.ts'],
    ['agent/src/agent.ts', 'src/platform/common/runtime/clock.ts'],
    ['agent/src/agent.ts', 'libs/signalr'],
    ['web/src/main.ts', 'libs/local-postgres'],
  ])('would not allow %s to import %s', (from, to) => {
    expect(brokenRule(from, to)).not.toBeNull();
  });

  it.each([
    ['src/devices/tags/tags.service.ts', 'src/devices/devices/devices.service.ts'],
    ['src/devices/tags/tags.controller.ts', 'src/system/openapi/operation.ts'],
    ['src/devices/tags/tags.service.ts', 'src/access/authorization/evaluation/authorization.service.ts'],
    ['src/live/hubs/hubs.module.ts', 'src/devices/devices/devices.service.ts'],
    ['src/entities.ts', 'src/devices/devices/device.entity.ts'],
    ['src/access/authorization/evaluation/evaluator.spec.ts', 'test/support/fixtures/authorization-cases.ts'],
    ['src/platform/database/connection/bundled-database.ts', 'libs/local-postgres'],
    ['agent/src/agent.ts', 'libs/contracts'],
    ['libs/contracts/src/signing.ts', 'libs/signalr/wire'],
  ])('allows %s to import %s', (from, to) => {
    expect(brokenRule(from, to)).toBeNull();
  });
});
