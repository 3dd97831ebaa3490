import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';

/** A call to another service. */
interface OutgoingCall {
  readonly url: string;
  readonly method: string;
}

/**
 * Makes a call to another service within the current trace: `traceparent` in its headers names the trace, and a span notes the call. The span
 * has the name of the host, and nothing of path and query, which may contain secrets. Without a trace there is neither header nor span.
 */
export async function traceCall(
  { url, method }: OutgoingCall,
  call: (headers: Readonly<Record<string, string>>) => Promise<Response>,
): Promise<Response> {
  if (trace.getActiveSpan()?.isRecording() !== true) return call(traceHeaders());
  const span = trace.getTracer('http').startSpan(method, {
    kind: SpanKind.CLIENT,
    attributes: { 'http.request.method': method, 'server.address': new URL(url).hostname },
  });
  try {
    const response = await context.with(trace.setSpan(context.active(), span), () => call(traceHeaders()));
    span.setAttribute('http.response.status_code', response.status);
    if (response.status >= 400) span.setStatus({ code: SpanStatusCode.ERROR });
    return response;
  } catch (error) {
    span.setAttribute('error.type', error instanceof Error ? error.name : typeof error).setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}

/** The headers that name the current trace, by the propagator of the process; none without a trace. */
function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  return headers;
}
