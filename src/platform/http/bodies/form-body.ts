import { urlencoded, type Request } from 'express';

import { DomainError, ErrorCode } from '../../common/errors/errors.js';
import { JSON_BODY_DEADLINE_MS, JSON_BODY_LIMIT, unreadableBody } from './json-body.js';

const MEDIA_TYPE = 'application/x-www-form-urlencoded';
/** Most values of a form. */
const MAXIMUM_VALUES = 2_000;

const parse = urlencoded({ extended: false, type: MEDIA_TYPE, limit: JSON_BODY_LIMIT, parameterLimit: MAXIMUM_VALUES, inflate: false });

/**
 * Reads the body of a request as a form without files: its values by their names in lower case. Limits are those of JSON bodies.
 * @throws DomainError 400 or 413 for a form that cannot be read, 415 for another content type
 */
export async function readForm(request: Request): Promise<ReadonlyMap<string, readonly string[]>> {
  if (!request.is(MEDIA_TYPE)) throw new DomainError(ErrorCode.UnsupportedMediaType, `Send the form as ${MEDIA_TYPE}.`);
  const deadline = setTimeout(() => request.destroy(), JSON_BODY_DEADLINE_MS);
  try {
    await parsed(request);
  } catch (failure) {
    throw unreadableBody(failure);
  } finally {
    clearTimeout(deadline);
  }
  const form = new Map<string, string[]>();
  for (const [name, value] of Object.entries(request.body as Readonly<Record<string, string | string[]>>)) {
    const key = name.toLowerCase();
    form.set(key, [...(form.get(key) ?? []), value].flat());
  }
  return form;
}

function parsed(request: Request): Promise<void> {
  const { res: response } = request;
  if (response === undefined) throw new Error('The request has no response.');
  return new Promise((resolve, reject) => {
    parse(request, response, (failure?: unknown) => {
      if (failure === undefined) resolve();
      else reject(failure);
    });
  });
}
