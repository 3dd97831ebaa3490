import { SpanKind, SpanStatusCode, trace, type Span } from '@opentelemetry/api';
import pg from 'pg';

import { messageOf } from '../../common/errors/errors.js';

/** Most characters of a statement in its span. Values are parameters, which are left out. */
const MAXIMUM_TEXT = 500;

/** Notes the queries of a connection as spans where they belong to a trace that is recorded; others pass as they are. */
export function traceQueries(client: pg.ClientBase): void {
  const query = (...args: unknown[]): unknown => {
    const own = Reflect.get(pg.Client.prototype, 'query') as (...given: unknown[]) => unknown;
    return Reflect.apply(own, client, args);
  };
  const traced = (...args: unknown[]): unknown => {
    if (trace.getActiveSpan()?.isRecording() !== true) return query(...args);
    const text = textOf(args[0]);
    // Others, such as streams of rows, answer in a form of their own.
    if (text === null) return query(...args);
    const span = beginSpan(text);
    const done = args.at(-1);
    if (isCallback(done)) {
      return query(...args.slice(0, -1), (error: unknown, ...rest: unknown[]) => {
        end(span, error);
        done(error, ...rest);
      });
    }
    const answer = query(...args);
    if (answer instanceof Promise) {
      answer.then(
        () => end(span, null),
        (error: unknown) => end(span, error),
      );
    } else end(span, null);
    return answer;
  };
  Object.assign(client, { query: traced });
}

function textOf(statement: unknown): string | null {
  if (typeof statement === 'string') return statement;
  const isPlain = typeof statement === 'object' && statement !== null && !('submit' in statement) && 'text' in statement;
  return isPlain && typeof statement.text === 'string' ? statement.text : null;
}

function isCallback(value: unknown): value is (...args: unknown[]) => unknown {
  return typeof value === 'function';
}

function beginSpan(text: string): Span {
  const statement = text.trim().replaceAll(/\s+/g, ' ');
  const [operation = ''] = statement.split(' ', 1);
  return trace.getTracer('database').startSpan(operation.toUpperCase(), {
    kind: SpanKind.CLIENT,
    attributes: { 'db.system.name': 'postgresql', 'db.query.text': statement.slice(0, MAXIMUM_TEXT) },
  });
}

function end(span: Span, error: unknown): void {
  if (error !== null && error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: messageOf(error) });
  span.end();
}
