/** A file of the first load, with its size under gzip. */
export interface LoadedFile {
  readonly file: string;
  readonly size: number;
}

/** A chunk of the build: its file, its style sheets, and the names of the chunks that it imports. */
export interface Chunk {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
}

/** The chunks of a build by name. */
export type Manifest = Readonly<Record<string, Chunk>>;

export function manifestOf(dist: string): Promise<Manifest>;
export function firstLoad(dist: string): Promise<readonly LoadedFile[]>;
export function filesOfPages(manifest: Manifest): ReadonlyMap<string, readonly string[]>;
export function totalOf(files: readonly LoadedFile[], extension: string): number;
