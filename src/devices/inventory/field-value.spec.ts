import { describe, expect, it } from 'vitest';

import { DeviceFieldType, readFieldValue } from './field-value.js';

const read = (type: DeviceFieldType, given: string) => readFieldValue({ name: 'Rack', type, choices: ['A1', 'B2'] }, given);

describe('the value of a field', () => {
  it.each([
    [DeviceFieldType.Text, ' Rack 4 ', 'Rack 4'],
    [DeviceFieldType.Number, '007', '7'],
    [DeviceFieldType.Number, '-3.50', '-3.5'],
    [DeviceFieldType.Date, '2028-02-29', '2028-02-29'],
    [DeviceFieldType.YesNo, 'True', 'true'],
    [DeviceFieldType.Link, 'https://example.com/a?b=c', 'https://example.com/a?b=c'],
    [DeviceFieldType.Choice, 'B2', 'B2'],
  ])('of type %s is read from "%s"', (type, given, value) => {
    expect(read(type, given)).toEqual({ value });
  });

  it.each([
    [DeviceFieldType.Number, '1e5'],
    [DeviceFieldType.Number, 'twelve'],
    [DeviceFieldType.Number, '1234567890123456'],
    [DeviceFieldType.Date, '2027-02-29'],
    [DeviceFieldType.Date, '29.02.2028'],
    [DeviceFieldType.YesNo, 'maybe'],
    [DeviceFieldType.Link, 'javascript:alert(1)'],
    [DeviceFieldType.Link, 'https://'],
    [DeviceFieldType.Choice, 'b2'],
  ])('of type %s is refused as "%s", with a sentence that names the field', (type, given) => {
    expect(read(type, given)).toEqual({ problem: expect.stringMatching(/^The value of "Rack" must be .+\.$/) });
  });
});
