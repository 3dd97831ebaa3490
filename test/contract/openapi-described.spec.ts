import { beforeAll, describe, expect, it } from 'vitest';

import { describeOffline } from '../../src/describe-offline.js';
import { GROUPS } from '../../src/system/openapi/groups.js';
import { SURFACE_NAMES, type SurfaceName } from '../../src/system/openapi/surfaces.js';
import { holesIn, misfitsOf, type DescribedDocument, type DescribedSchema } from './described.js';

let documents: Record<SurfaceName, DescribedDocument>;

beforeAll(async () => {
  documents = JSON.parse(JSON.stringify(await describeOffline()));
});

describe.each(SURFACE_NAMES)('the description %s', (name) => {
  it('describes everything', () => {
    expect(holesIn(documents[name]).map(({ what }) => what)).toEqual([]);
  });
});

it.each(SURFACE_NAMES)('the description %s names 401 and 403 for every operation that needs a credential', (name) => {
  const silent = Object.entries(documents[name].paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { security = [], responses }]) => security.length > 0 && !('401' in responses && '403' in responses))
      .map(([method]) => `${method} ${path}`),
  );
  expect(silent).toEqual([]);
});

it('lists exactly the groups of the table, in its order', () => {
  const shown = new Set(SURFACE_NAMES.flatMap((name) => (documents[name].tags ?? []).map((tag) => tag.name)));
  expect([...shown]).toEqual(GROUPS.map((group) => group.name));
});

describe('the walk over a description', () => {
  const text: DescribedSchema = { type: 'string', description: 'A name.', examples: ['Lamp'] };
  const whole: DescribedDocument = {
    info: { description: 'An API of things.' },
    tags: [{ name: 'Things', description: 'Manage things.' }],
    paths: {
      '/things/{id}': {
        put: {
          tags: ['Things'],
          summary: 'Rename a thing',
          description: 'Its parts stay.\n\n**Permission:** none.',
          parameters: [{ name: 'id', description: 'Id of the thing.', schema: { type: 'string', format: 'uuid' } }],
          requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' }, example: { name: 'Lamp' } } } },
          responses: {
            200: { description: 'The thing.', headers: { Location: { description: 'Where it is.' } } },
            404: { description: 'There is no such thing.' },
          },
        },
      },
    },
    components: { schemas: { Thing: { type: 'object', required: ['name'], properties: { name: text } } } },
  };
  const [rename] = [whole.paths['/things/{id}'].put];

  function holesWith(change: Partial<typeof rename>, thing: DescribedSchema = whole.components.schemas.Thing): readonly string[] {
    const paths = { '/things/{id}': { put: { ...rename, ...change } } };
    return holesIn({ ...whole, paths, components: { schemas: { Thing: thing } } }).map(({ what }) => what);
  }

  it('finds no hole in a complete one', () => {
    expect(holesIn(whole)).toEqual([]);
  });

  it.each(['', 'Rename a thing.', 'Renames a thing', 'rename a thing', 'Things'])('refuses the summary "%s"', (summary) => {
    expect(holesWith({ summary })).toEqual([`PUT /things/{id}: the summary is no imperative without a dot: "${summary}"`]);
  });

  it('finds a summary that two operations share', () => {
    const paths = { '/a': { get: rename }, '/b': { get: rename } };
    expect(holesIn({ ...whole, paths }).map(({ what }) => what)).toEqual(['GET /b: the summary is that of GET /a, too']);
  });

  it('requires a description besides derived text', () => {
    expect(holesWith({ description: '**Permission:** none.' })).toEqual(['PUT /things/{id}: no description']);
  });

  it('requires descriptions of parameters, statuses, headers and groups, and an introduction', () => {
    expect(holesWith({ parameters: [{ name: 'key', schema: { type: 'string' } }] })).toEqual([
      'PUT /things/{id}: parameter key: no description',
      'PUT /things/{id}: parameter key: no example',
    ]);
    expect(holesWith({ responses: { 204: { description: '', headers: { Location: {} } } } })).toEqual([
      'PUT /things/{id}: 204: no meaning',
      'PUT /things/{id}: 204: header Location: no description',
    ]);
    expect(holesIn({ ...whole, info: {}, tags: [{ name: 'Things' }] }).map(({ what }) => what)).toEqual([
      'group Things: no sentence',
      'no introduction',
    ]);
    expect(holesIn({ ...whole, tags: [] }).map(({ what }) => what)).toEqual(['group Things: no sentence']);
  });

  it('requires descriptions and examples of properties, also of nested ones', () => {
    const inner = {
      type: 'object',
      properties: { part: { type: ['string', 'null'] }, at: { type: 'string', format: 'date-time', description: 'When.' } },
    };
    const thing = { type: 'object', properties: { name: text, parts: { type: 'array', description: 'Parts.', items: inner } } };
    expect(holesWith({}, thing)).toEqual([
      'PUT /things/{id}: Thing.parts.part: no description',
      'PUT /things/{id}: Thing.parts.part: no example',
    ]);
  });

  it('requires a valid example of each body', () => {
    const schema = { $ref: '#/components/schemas/Thing' };
    expect(holesWith({ requestBody: { content: { 'application/json': { schema } } } })).toEqual(['PUT /things/{id}: the body: no example']);
    expect(holesWith({ requestBody: { content: { 'application/json': { schema, example: { name: 1 } } } } })).toEqual([
      'PUT /things/{id}: the body: the example.name is no string',
    ]);
    expect(holesWith({ requestBody: { content: { 'image/png': { schema: { type: 'string', format: 'binary' } } } } })).toEqual([]);
  });

  it.each<[unknown, DescribedSchema, string[]]>([
    [null, { type: ['string', 'null'] }, []],
    [null, { type: 'string' }, [' is no string']],
    [1.5, { type: 'integer' }, [' is no integer']],
    [7, { type: 'integer', maximum: 5 }, [' has a value of 7']],
    ['b', { type: 'string', enum: ['a'] }, [' is none of a']],
    ['abc', { type: 'string', maxLength: 2 }, [' has a length of 3']],
    ['x', { type: 'string', format: 'uuid' }, [' is no GUID']],
    ['x', { type: 'string', format: 'date-time' }, [' is no date and time']],
    ['x', { type: 'string', pattern: '^[0-9]$' }, [' does not match the pattern']],
    [[1, 'a'], { type: 'array', items: { type: 'integer' }, maxItems: 1 }, [' has a number of items of 2', '[1] is no integer']],
    [{ b: 1 }, { type: 'object', required: ['a'], properties: { a: {} } }, [' has no a', ' has an unknown member b']],
    [1, { anyOf: [{ type: 'string' }, { type: 'null' }] }, [' fits no alternative']],
  ])('finds where %j does not fit %j', (value, schema, misfits) => {
    expect(misfitsOf(value, schema, {})).toEqual(misfits);
  });
});
