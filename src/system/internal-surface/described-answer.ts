import type { Type } from '@nestjs/common';

import { fieldsOf } from '../../platform/http/binding/field-registry.js';

/*
 * The keys under which @nestjs/swagger keeps its decorators' metadata of a handler. It exports no names for them.
 */
const DESCRIPTION = 'swagger/';
const DESCRIBED_ANSWERS = 'swagger/apiResponse';
export const DESCRIBED_PARAMETERS = 'swagger/apiParameters';

/** Copies what the description says of a handler, apart from the metadata in `except`. */
export function copyDescription(from: object, to: object, except: readonly unknown[]): void {
  for (const key of Reflect.getOwnMetadataKeys(from) as (string | symbol)[]) {
    if (typeof key !== 'string' || !key.startsWith(DESCRIPTION) || except.includes(key)) continue;
    Reflect.defineMetadata(key, Reflect.getOwnMetadata(key, from), to);
  }
}

interface DescribedAnswer {
  readonly type?: Type<object>;
  readonly isArray?: boolean;
}

interface Changes {
  readonly status: number | undefined;
  readonly answer: Type<object> | undefined;
  readonly bareList: boolean;
}

/** Describes the success answer of a handler with another status or body. */
export function describeAnswer(handler: object, { status, answer, bareList }: Changes): void {
  const answers = Reflect.getOwnMetadata(DESCRIBED_ANSWERS, handler) as Readonly<Record<string, DescribedAnswer>>;
  const changed = Object.entries(answers).map(([key, described]): [string, DescribedAnswer] => {
    if (Number(key) >= 300) return [key, described];
    const other = answer === undefined ? {} : { type: answer };
    return [String(status ?? key), { ...described, ...other, ...(bareList ? arrayOf(described.type) : {}) }];
  });
  Reflect.defineMetadata(DESCRIBED_ANSWERS, Object.fromEntries(changed), handler);
}

/** The items of a list as an answer of their own. */
function arrayOf(list: Type<object> | undefined): DescribedAnswer {
  const items = list === undefined ? undefined : fieldsOf(list).get('items')?.nested?.();
  if (items === undefined) throw new Error(`${list?.name ?? 'The answer'} is no list of items.`);
  return { type: items, isArray: true };
}
