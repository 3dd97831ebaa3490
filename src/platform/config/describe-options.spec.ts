import { describe, expect, it } from 'vitest';
import { readFile } from 'node:fs/promises';
import { describeOptions } from './describe-options.js';
import { allOptions, variableOf } from './options.js';

describe('describeOptions', () => {
  it('describes name, variable, type, default and meaning of every option', () => {
    const text = describeOptions();
    for (const { key, meaning, kind, takesEffect } of allOptions()) {
      const effect = takesEffect ? '' : ' Has no effect in this version.';
      expect(text).toContain(`- \`${key}\`: ${meaning}${effect}\n  Variable \`${variableOf(key)}\`; ${kind.expected};`);
    }
  });

  it('matches docs/configuration.md (regenerate it with: npm run --silent config:describe > docs/configuration.md)', async () => {
    const document = await readFile(new URL('../../../docs/configuration.md', import.meta.url), 'utf8');
    expect(document.trimEnd()).toBe(describeOptions().trimEnd());
  });

  it('has unique names and defaults that their own kind accepts', () => {
    const options = allOptions();
    expect(new Set(options.map(({ key }) => key.toLowerCase())).size).toBe(options.length);
    for (const { key, kind, defaultValue } of options) {
      const text = kind.format(defaultValue);
      if (text !== '') expect([key, kind.parse(kind.isList ? text.split(',') : [text])]).toEqual([key, defaultValue]);
    }
  });
});
