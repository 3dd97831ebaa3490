import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

import { describe, expect, it } from 'vitest';

import { UploadForm } from './upload-form.js';

const IDLE_MS = 5_000;
/** More than the form's parser buffers of a file (64 KiB). */
const LARGE = 70_000;

/** A request whose body arrives in these pieces. */
function requestOf(pieces: readonly Buffer[], headers: Record<string, string>): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  Object.assign(request.headers, headers);
  for (const piece of pieces) request.push(piece);
  request.complete = true;
  request.push(null);
  return request;
}

function formOf(file: Buffer, end = '\r\n'): Buffer {
  const head =
    '--b-1\r\nContent-Disposition: form-data; name="targetSaveDirectory"\r\n\r\n/a\r\n\r\nb\r\n' +
    '--b-1\r\nContent-Disposition: form-data; name="file"; filename="dir/f.bin"\r\nContent-Type: text/plain\r\n\r\n';
  return Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n--b-1--${end}`)]);
}

/** Reads a form. The file is a text with a character for each byte: texts are compared much faster than buffers. */
async function read(pieces: readonly Buffer[], contentType = 'multipart/form-data; boundary=b-1') {
  const length = pieces.reduce((total, piece) => total + piece.length, 0);
  const form = await UploadForm.open(
    requestOf(pieces, { 'content-type': contentType, 'content-length': String(length) }),
    IDLE_MS,
    new AbortController().signal,
  );
  const { fileSizeAtMost, fileName } = form;
  const parts: Uint8Array[] = [];
  for await (const part of form.bytes()) parts.push(part);
  form.close();
  return { fileSizeAtMost, fileName, directory: form.fields.get('targetsavedirectory'), file: Buffer.concat(parts).toString('latin1') };
}

describe('a form', () => {
  const file = Buffer.from('\r\n\r\n--b-\r\n--b-x\n\n\r\r\n\0end\r\n');

  it.each([
    ['whole', (form: Buffer) => [form]],
    ['byte by byte', (form: Buffer) => Array.from(form, (_, at) => form.subarray(at, at + 1))],
    ['in threes', (form: Buffer) => Array.from({ length: Math.ceil(form.length / 3) }, (_, at) => form.subarray(3 * at, 3 * at + 3))],
  ])('is read %s: the same file, the same announced size', async (_how, split) => {
    for (const contents of [file, Buffer.alloc(0), Buffer.from('\n'), Buffer.alloc(LARGE, 10)]) {
      const result = await read(split(formOf(contents, '')));
      expect(result).toEqual({
        fileSizeAtMost: contents.length,
        fileName: 'f.bin',
        directory: '/a\r\n\r\nb',
        file: contents.toString('latin1'),
      });
      expect((await read(split(formOf(contents)))).fileSizeAtMost).toBe(contents.length + 2);
    }
  });

  it('is read when it arrives in two pieces, cut at any place', async () => {
    const form = formOf(file, '');
    for (let at = 1; at < form.length; at++) {
      const result = await read([form.subarray(0, at), form.subarray(at)], 'Multipart/Form-Data; charset=utf-8; boundary="b-1"');
      expect([at, result]).toEqual([
        at,
        { fileSizeAtMost: file.length, fileName: 'f.bin', directory: '/a\r\n\r\nb', file: file.toString('latin1') },
      ]);
    }
  });

  it('that ends too early makes the reading of its file fail', async () => {
    const form = formOf(file, '');
    for (let at = 0; at < form.length; at++) {
      await expect(read([form.subarray(0, at)])).rejects.toMatchObject({ name: 'DomainError', code: 'Invalid' });
    }
  });

  it('is refused when fields or names are too large', async () => {
    const part = (header: string, value: string): string => `--b-1\r\nContent-Disposition: form-data; ${header}\r\n\r\n${value}\r\n`;
    const whole = (...parts: string[]): Buffer => Buffer.from(`${parts.join('')}--b-1--\r\n`);
    const last = part('name="file"; filename="f"', 'x');
    for (const form of [
      whole(part('name="targetSaveDirectory"', 'x'.repeat(200_000)), last),
      whole(...Array.from({ length: 30 }, (_, index) => part(`name="n${index}"`, 'x')), last),
      whole(part(`name="file"; filename="${'x'.repeat(2_000)}"`, 'x')),
      whole(part(`name="file"; filename="${'x'.repeat(20_000)}"`, 'x')),
    ]) {
      await expect(read([form])).rejects.toMatchObject({ name: 'DomainError', code: 'Invalid' });
    }
  });
});
