import { describe, expect, it } from 'vitest';

import { markup } from './markup.js';

describe('composed HTML', () => {
  it('escapes every text', () => {
    const hostile = `</p><script>alert("1" & '2')</script>`;
    expect(String(markup`<p>${hostile}</p>`)).toBe('<p>&lt;/p&gt;&lt;script&gt;alert(&quot;1&quot; &amp; &#39;2&#39;)&lt;/script&gt;</p>');
    expect(String(markup`<a href="${'" onclick="alert(1)'}">`)).toBe('<a href="&quot; onclick=&quot;alert(1)">');
  });

  it('takes composed HTML, lists of it, numbers and nothing as they are', () => {
    const items = ['a & b', 'c'].map((text) => markup`<li>${text}</li>`);
    expect(String(markup`<ul>${items}</ul>${null}${7}`)).toBe('<ul><li>a &amp; b</li><li>c</li></ul>7');
  });

  it('escapes objects that only look like composed HTML', () => {
    const forged = { source: '<b>', toString: () => '<b>' } as unknown as string;
    expect(String(markup`${forged}`)).toBe('&lt;b&gt;');
  });

  it('keeps its own entities and line breaks', () => {
    expect(String(markup`a&nbsp;b\n${'$&'}`)).toBe('a&nbsp;b\n$&amp;');
  });
});
