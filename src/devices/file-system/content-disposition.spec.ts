import { describe, expect, it } from 'vitest';

import { contentDisposition } from './content-disposition.js';

describe('contentDisposition for a name from a device', () => {
  it.each([
    ['report.pdf', 'attachment; filename="report.pdf"'],
    ['a b (1).txt', 'attachment; filename="a b (1).txt"'],
    ['/etc/passwd', 'attachment; filename="passwd"'],
    ['C:\\Users\\x\\evil.exe', 'attachment; filename="evil.exe"'],
    ['', 'attachment; filename="download"'],
    ['..', 'attachment; filename="download"'],
    ['x"; filename="y', `attachment; filename="x_; filename=_y"; filename*=UTF-8''x%22%3B%20filename%3D%22y`],
    ['100%41.txt', `attachment; filename="100_41.txt"; filename*=UTF-8''100%2541.txt`],
    ['bericht für märz.txt', `attachment; filename="bericht f_r m_rz.txt"; filename*=UTF-8''bericht%20f%C3%BCr%20m%C3%A4rz.txt`],
    ['🗂.zip', `attachment; filename="_.zip"; filename*=UTF-8''%F0%9F%97%82.zip`],
    [`d'or*.txt€`, `attachment; filename="d'or*.txt_"; filename*=UTF-8''d%27or%2A.txt%E2%82%AC`],
    ['a\r\nSet-Cookie: x=1\u0085', 'attachment; filename="aSet-Cookie: x=1"'],
    ['report\u202efdp.exe', 'attachment; filename="reportfdp.exe"'],
    ['\u2066a\u2069\u200e\u200f\u061cb.txt', 'attachment; filename="ab.txt"'],
    ['in\u200bvoi\u200dce\ufeff\u00ad\u2060.pdf', 'attachment; filename="invoice.pdf"'],
    ['two\u2028lines\u2029.txt', 'attachment; filename="twolines.txt"'],
    ['\u202e\u3164\u034f', 'attachment; filename="download"'],
    ['lone\ud800.txt', `attachment; filename="lone_.txt"; filename*=UTF-8''lone%EF%BF%BD.txt`],
  ])('%j', (name, expected) => {
    expect(contentDisposition('attachment', name)).toBe(expected);
  });

  it('writes inline on request and cuts names that are too long for file systems', () => {
    expect(contentDisposition('inline', 'x'.repeat(1000))).toBe(`inline; filename="${'x'.repeat(255)}"`);
  });
});
