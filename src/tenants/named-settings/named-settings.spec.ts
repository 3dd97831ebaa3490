import { describe, expect, it } from 'vitest';

import { DomainError } from '../../platform/common/errors/errors.js';
import { namesOf } from '../../platform/http/binding/enum-fields.js';
import { decimal, oneOf, textOf, trueOrFalse, wholeNumber } from './named-setting.js';
import { NamedSettings, settingName } from './named-settings.js';

enum Colour {
  Red = 'Red',
  Blue = 'Blue',
}

const settings = new NamedSettings<{
  isOn: boolean | null;
  level: number;
  ratio: number;
  colour: Colour;
  label: string;
}>({
  isOn: trueOrFalse<boolean | null>('is-on', 'Switch.', null),
  level: wholeNumber('level', 'Level.', 5, { min: 1, max: 9 }),
  ratio: decimal('ratio', 'Ratio.', 1.5, { min: 0.1 }),
  colour: oneOf<Colour>('colour', 'Colour.', Colour.Blue, namesOf('Colour', Colour)),
  label: textOf<string>('label', 'Label.', '', { max: 4, pattern: /^[a-z ]*$/, rule: 'small letters', example: 'ab' }),
});

const DEFAULTS = { isOn: null, level: 5, ratio: 1.5, colour: 'Blue', label: '' };

function refusalOf(work: () => unknown): DomainError {
  try {
    work();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('Nothing was refused.');
}

describe('named settings', () => {
  it('have their defaults while nothing is stored', () => {
    expect(settings.valuesOf(new Map())).toEqual(DEFAULTS);
  });

  it('are read from stored texts, or default when a text is no longer valid', () => {
    const texts = new Map([
      ['is-on', 'true'],
      ['level', '10'],
      ['ratio', '0.25'],
      ['colour', 'green'],
      ['label', 'ab'],
      ['unknown', 'x'],
    ]);
    expect(settings.valuesOf(texts)).toEqual({ isOn: true, level: 5, ratio: 0.25, colour: 'Blue', label: 'ab' });
  });

  it.each([
    ['is-on', ' TRUE ', 'true'],
    ['is-on', 'False', 'false'],
    ['level', '1', '1'],
    ['level', '+9', '9'],
    ['level', '007', '7'],
    ['ratio', '.5', '0.5'],
    ['ratio', '2.50', '2.5'],
    ['ratio', '1e2', '100'],
    ['ratio', '1e300', '1e+300'],
    ['colour', 'red', 'Red'],
    ['colour', '1', 'Blue'],
    ['label', '  ab ', 'ab'],
    ['someone-elses', '  Any thing: 1 ', 'Any thing: 1'],
  ])('keep %s of %j as %j, and read it again', (name, given, kept) => {
    expect(settings.textOf(name, given)).toBe(kept);
    expect(settings.textOf(name, kept)).toBe(kept);
  });

  it.each(['is-on', 'level', 'ratio', 'colour', 'label', 'someone-elses'])('are not set when %s is blank', (name) => {
    expect(settings.textOf(name, ' \t')).toBeNull();
  });

  it.each([
    ['is-on', 'yes'],
    ['is-on', '1'],
    ['is-on', 'constructor'],
    ['level', '0'],
    ['level', '10'],
    ['level', '1.5'],
    ['level', '5 5'],
    ['ratio', '0.05'],
    ['ratio', '1,5'],
    ['ratio', 'NaN'],
    ['ratio', '1e999'],
    ['ratio', '-1'],
    ['colour', 'green'],
    ['colour', '2'],
    ['label', 'abcde'],
    ['label', 'A'],
  ])('refuse %s of %j', (name, value) => {
    const { fields } = refusalOf(() => settings.textOf(name, value));
    expect(fields?.['value']?.[0]).toContain(`${name} must be`);
  });

  it('are converted to texts together; blank and null values clear a setting', () => {
    const texts = settings.textsOf({ isOn: null, level: 1, ratio: 3, colour: Colour.Red, label: ' ' });
    expect(Object.fromEntries(texts)).toEqual({ 'is-on': null, level: '1', ratio: '3', colour: 'Red', label: null });
    expect(settings.valuesOf(new Map([['level', texts.get('level') ?? '']])).level).toBe(1);
  });

  it('report every invalid member at once', () => {
    const { fields } = refusalOf(() => settings.textsOf({ isOn: true, level: 0, ratio: 3, colour: Colour.Red, label: 'Z' }));
    expect(Object.keys(fields ?? {})).toEqual(['level', 'label']);
  });

  it('accept names of letters, digits and hyphens', () => {
    expect(settingName(' my-Setting-1 ', 'name')).toBe('my-Setting-1');
    for (const name of ['', ' ', 'a b', 'a_b', 'a/b', 'é', 'a\nb', 'x'.repeat(101)]) {
      expect(refusalOf(() => settingName(name, 'name')).fields).toHaveProperty('name');
    }
    expect(settingName('x'.repeat(100), 'name')).toHaveLength(100);
  });
});
