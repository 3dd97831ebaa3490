import { Catch, HttpException, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';

import { isDatabaseOutage } from '../../common/errors/database-outage.js';
import { DomainError, messageOf } from '../../common/errors/errors.js';
import { addressBlock } from '../addresses/address-block.js';
import { MalformedPath } from '../binding/route-parameters.js';
import { callerOf, loggedPath } from '../request-log.js';
import { failureAnswer } from './failure-forms.js';
import { PROBLEM_MEDIA_TYPE, problemDetails, refusalOf, titleOf, type ProblemDetails } from './problem-details.js';
import type { RefusalLog } from './refusal-log.js';

/** Seconds until the next try after the database could not be reached, or all its connections were busy for too long. */
const OUTAGE_RETRY_SECONDS = 5;

/** Facts about the application that the filter needs. */
export interface ProblemDetailsOptions {
  /** True if unexpected errors show their stack (development only). */
  readonly showStack: boolean;
  /** The methods that a path answers to; empty for a path that does not exist. */
  readonly methodsOf: (path: string) => readonly string[];
  readonly refusals: RefusalLog;
  /** The client's address (`TrustedProxies`). */
  readonly addressOf: (request: Request) => string;
  /** Schemes that a 401 offers (`challengeOf`). */
  readonly challenge: string;
}

interface HttpFailure {
  readonly status: number;
}

/** Answers every failure of a request with Problem Details (`docs/api.md`). */
@Catch()
export class ProblemDetailsFilter implements ExceptionFilter {
  private readonly logger = new Logger('Http');

  constructor(private readonly options: ProblemDetailsOptions) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    if (response.headersSent) {
      // The status was already sent. Only a cut connection tells the client that the body is incomplete.
      this.logUnexpected(error, request);
      response.destroy();
      return;
    }
    const problem = this.problemOf(error, request, response);
    if (this.options.showStack && problem.status === 500 && error instanceof Error) {
      showStack(error, problem, request, response);
      return;
    }
    const { status, body } = failureAnswer(error, problem, request.failureForms);
    response.status(status);
    if (body === 'text') response.type('text/plain').send(wordsOf(problem));
    else response.type(PROBLEM_MEDIA_TYPE).send(JSON.stringify(status === problem.status ? problem : withStatus(problem, status, request)));
  }

  private problemOf(error: unknown, request: Request, response: Response): ProblemDetails {
    if (error instanceof DomainError) {
      const { headers, problem } = refusalOf(error, this.options.challenge);
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      this.options.refusals.note(error, { source: this.sourceOf(request), ...about(request) });
      return problem;
    }
    if (error instanceof HttpException) return this.frameworkProblem(error, request, response);
    if (isDatabaseOutage(error)) {
      this.logger.warn({ message: `A request failed because the database is unavailable. ${messageOf(error)}`, ...about(request) });
      response.setHeader('Retry-After', String(OUTAGE_RETRY_SECONDS));
      return problemDetails(503, { detail: 'The service cannot reach its data at the moment. Try again later.', traceId: request.id });
    }
    if (isHttpFailure(error)) return problemDetails(error.status, { detail: 'The request could not be read.' });
    this.logUnexpected(error, request);
    return problemDetails(500, { detail: 'An unexpected error occurred. Quote the trace id when you report it.', traceId: request.id });
  }

  private frameworkProblem(error: HttpException, request: Request, response: Response): ProblemDetails {
    const status = error.getStatus();
    if (status === 404) {
      const methods = this.options.methodsOf(request.path);
      if (methods.length > 0 && !methods.includes(request.method)) {
        response.setHeader('Allow', methods.join(', '));
        return problemDetails(405, { detail: `${request.method} is not supported here.` });
      }
      return problemDetails(404, { detail: error instanceof MalformedPath ? error.message : 'There is no such route.' });
    }
    if (status >= 500) this.logUnexpected(error, request);
    return problemDetails(status, status >= 500 ? { traceId: request.id } : { detail: error.message });
  }

  /** The source of a request by which refusals are counted: a principal, or the address block of a caller that did not authenticate. */
  private sourceOf(request: Request): string {
    return callerOf(request).principal ?? addressBlock(this.options.addressOf(request));
  }

  private logUnexpected(error: unknown, request: Request): void {
    this.logger.error({
      message: 'A request failed unexpectedly.',
      ...about(request),
      error: error instanceof Error ? error.stack : String(error),
    });
  }
}

/** Returns the members of log entries that describe a request. */
function about(request: Request): object {
  return { requestId: request.id, method: request.method, path: loggedPath(request), ...callerOf(request) };
}

/** Errors of Express itself carry a status. */
function isHttpFailure(error: unknown): error is HttpFailure {
  return error instanceof Error && 'status' in error && typeof error.status === 'number' && error.status >= 400 && error.status < 500;
}

/** Returns a problem as a text for people. */
function wordsOf({ title, detail, traceId }: ProblemDetails): string {
  return `${detail ?? title}${traceId === undefined ? '' : ` Trace id: ${traceId}`}`;
}

function showStack(error: Error, problem: ProblemDetails, request: Request, response: Response): void {
  if (request.accepts(['json', 'html']) === 'html') {
    const text = (error.stack ?? error.message).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    response.status(500).type('html').send(`<!doctype html><title>${problem.title}</title><pre>${text}</pre>`);
    return;
  }
  response
    .status(500)
    .type(PROBLEM_MEDIA_TYPE)
    .send(JSON.stringify({ ...problem, detail: error.message, stack: error.stack }));
}

/** The same problem with another status. One of 500 has the trace id, as every other has. */
function withStatus(problem: ProblemDetails, status: number, request: Request): ProblemDetails {
  return { ...problem, status, title: titleOf(status), ...(status === 500 ? { traceId: request.id } : {}) };
}
