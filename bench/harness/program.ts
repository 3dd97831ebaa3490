import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import type { Call, Reply } from './serve-calls.js';

/** The functions of a program by name. Each takes at most one argument. */
export type Calls = Readonly<Record<string, (argument: never) => unknown>>;

type Argument<F> = F extends (argument: infer A) => unknown ? A : never;

/** A bench program in its own process: a baseline or a load. It ends with the bench. */
export class Program<C extends Calls> {
  private readonly waiting = new Map<number, { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void }>();
  private lastId = 0;

  private constructor(
    private readonly child: ChildProcess,
    private readonly name: string,
  ) {
    child.on('message', (reply: Reply) => this.settle(reply));
    child.once('exit', (code, signal) => this.failAll(new Error(`${name} ended (${signal ?? code}).`)));
  }

  /** Starts a program by the URL of its module. `variables` adds to its environment. */
  static start<C extends Calls>(module: URL, variables: Readonly<Record<string, string>> = {}): Program<C> {
    const env = { ...process.env, ...variables };
    const child = fork(fileURLToPath(module), [], { execArgv: ['--expose-gc'], serialization: 'advanced', env });
    return new Program<C>(child, module.pathname.split('/').slice(-2).join('/'));
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error(`${this.name} did not start.`);
    return this.child.pid;
  }

  /** Calls one of the program's functions. Rejects with its error, or when the program ends. */
  call<K extends keyof C & string>(name: K, argument: Argument<C[K]>): Promise<Awaited<ReturnType<C[K]>>> {
    this.lastId += 1;
    const call: Call = { id: this.lastId, name, argument };
    return new Promise((resolve, reject) => {
      this.waiting.set(call.id, { resolve: resolve as (value: unknown) => void, reject });
      this.child.send(call, (error) => {
        if (error !== null) reject(error);
      });
    });
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.disconnect();
    await ended;
  }

  private settle(reply: Reply): void {
    const waiting = this.waiting.get(reply.id);
    this.waiting.delete(reply.id);
    if (reply.error === undefined) waiting?.resolve(reply.value);
    else waiting?.reject(new Error(`${this.name}: ${reply.error}`));
  }

  private failAll(error: Error): void {
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
}
