import 'reflect-metadata';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { AddressInfo } from 'node:net';

import { Controller, Get, Inject, Injectable, Module, Param, UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Request } from 'express';
import pg from 'pg';

import type { Database } from '../harness/database.js';
import { serveCalls } from '../harness/serve-calls.js';

/*
 * Plain Nest on Express: one controller, one guard that hashes a header with SHA-256, no pipes, no middleware. One
 * route answers from memory, another with a row.
 */

interface Options {
  readonly database: Database;
  /** The header that the guard hashes, and the accepted value. */
  readonly apiKey: string;
  /** The answer of the route from memory. */
  readonly body: object;
  /** The select list of the route with a row. */
  readonly columns: string;
}

const OPTIONS = Symbol('options');
let pool: pg.Pool | undefined;

@Injectable()
class KeyGuard implements CanActivate {
  private readonly expected: Buffer;

  constructor(@Inject(OPTIONS) { apiKey }: Options) {
    this.expected = hash(apiKey);
  }

  canActivate(execution: ExecutionContext): boolean {
    const key = execution.switchToHttp().getRequest<Request>().headers['x-api-key'];
    return typeof key === 'string' && timingSafeEqual(hash(key), this.expected);
  }
}

@Controller()
class BareController {
  constructor(@Inject(OPTIONS) private readonly options: Options) {}

  @Get('anonymous')
  anonymous(): object {
    return this.options.body;
  }

  @Get('memory')
  @UseGuards(KeyGuard)
  memory(): object {
    return this.options.body;
  }

  @Get('rows/:id')
  @UseGuards(KeyGuard)
  async row(@Param('id') id: string): Promise<object | undefined> {
    const result = await pool?.query<object>({ text: `SELECT ${this.options.columns} FROM devices d WHERE d.id = $1`, values: [id] });
    return result?.rows[0];
  }
}

const calls = {
  async start(options: Options): Promise<string> {
    pool = new pg.Pool({ ...options.database, max: 20 });
    @Module({ controllers: [BareController], providers: [KeyGuard, { provide: OPTIONS, useValue: options }] })
    class BareModule {}
    const app = await NestFactory.create(BareModule, { logger: false });
    await app.listen(0, '127.0.0.1');
    const { port } = app.getHttpServer().address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  },
};

export type HttpBaselineCalls = typeof calls;
serveCalls(calls);

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
