import { describe, expect, it } from 'vitest';

import { exampleGuid, exampleOf, type ExampleSchema } from './examples.js';

const ref = (name: string): ExampleSchema => ({ $ref: `#/components/schemas/${name}` });

describe('the example of a schema', () => {
  it.each<[string, ExampleSchema, unknown]>([
    ['its own', { type: 'string', examples: ['Lamp'] }, 'Lamp'],
    ['its own, null', { type: ['string', 'null'], examples: [null] }, null],
    ['its own beside a reference', { ...ref('Colour'), examples: ['Blue'] }, 'Blue'],
    ['its default', { type: 'integer', default: 25 }, 25],
    ['its default, false', { type: 'boolean', default: false }, false],
    ['no default that shows nothing', { type: 'array', items: { type: 'integer' }, default: [] }, [1]],
    ['true', { type: 'boolean' }, true],
    ['1', { type: 'integer', maximum: 9 }, 1],
    ['the smallest number', { type: 'integer', minimum: 5 }, 5],
    ['the largest number', { type: 'number', maximum: 0.5 }, 0.5],
    ['an instant', { type: 'string', format: 'date-time' }, '2026-03-09T14:30:00.000Z'],
    ['a value rather than null', { type: ['null', 'boolean'] }, true],
    ['a value rather than null of alternatives', { anyOf: [{ type: 'null' }, ref('Colour')] }, 'Red'],
    ['a member that is known', ref('Colour'), 'Red'],
    ['the number of a member that is known', { type: 'integer', enum: [0, 1], 'x-enum-varnames': ['Unknown', 'Windows'] }, 1],
    ['the only member', { enum: ['Unknown'] }, 'Unknown'],
    ['no bytes', { type: 'string', format: 'binary' }, undefined],
    ['every member of an object', { properties: { a: { type: 'boolean' }, b: { type: 'integer' } } }, { a: true, b: 1 }],
    ['one item of a list', { type: 'array', items: { properties: { a: { type: 'boolean' } } } }, [{ a: true }]],
    ['a schema inside itself', ref('Folder'), { size: 1, folders: [] }],
  ])('is %s', (_what, schema, example) => {
    const schemas = {
      Colour: { type: 'string', enum: ['Unknown', 'Red', 'Blue'] },
      Folder: { type: 'object', properties: { size: { type: 'integer' }, parent: ref('Folder'), folders: { type: 'array', items: ref('Folder') } } },
    };
    expect(exampleOf(schema, schemas)).toEqual(example);
  });

  it('gives the same GUID for the same name, alone or in a list', () => {
    const id: ExampleSchema = { type: 'string', format: 'uuid' };
    const schema = { properties: { deviceId: id, tagId: id, deviceIds: { type: 'array', items: id } } };
    expect(exampleOf(schema, {})).toEqual({
      deviceId: exampleGuid('deviceId'),
      tagId: exampleGuid('tagId'),
      deviceIds: [exampleGuid('deviceId')],
    });
    expect(exampleGuid('deviceId')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(exampleGuid('deviceId')).not.toBe(exampleGuid('tagId'));
  });
});
