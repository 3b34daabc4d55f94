import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { quoted } from '../reviewing/patch.ts'

/** The end of a git command. `stderr`: its first line. */
export interface GitEnd {
  readonly status: number | null
  readonly stdout: Buffer
  readonly stderr: string
}

/** Runs git with a directory as its work tree. */
export type GitAt = (workTree: string, args: readonly string[], input: string) => GitEnd

/**
 * A temporary directory with some files of a commit and all its attributes files, in which git converts content as it would in a work tree:
 * line endings, encodings and filters (gitattributes(5)). Disposing of it removes the directory.
 */
export class AttributedTree implements Disposable {
  readonly #root = mkdtempSync(path.join(tmpdir(), 'paddock-branch-'))
  readonly #git: GitAt
  readonly #files: string[] = []

  /** `attributes`: the attributes files of the commit, by path. */
  constructor(git: GitAt, attributes: ReadonlyMap<string, Buffer>) {
    this.#git = git
    for (const [file, bytes] of attributes) this.#write(file, bytes)
  }

  /** The paths of the files, without those that are there only for their attributes. */
  get files(): readonly string[] {
    return this.#files
  }

  put(file: string, bytes: Buffer): void {
    this.remove(file)
    this.#write(file, bytes)
    this.#files.push(file)
  }

  /** Removes an attributes file that the commit will not have, or not as a file. */
  remove(file: string): void {
    rmSync(path.join(this.#root, file), { recursive: true, force: true })
  }

  /**
   * Returns the names of the objects of some files, in their order. `isPlain`: nothing is converted. `isStored`: git writes the objects, and
   * fails if it cannot convert one.
   */
  objects(
    files: readonly string[],
    { isPlain, isStored }: { readonly isPlain: boolean; readonly isStored: boolean },
  ): GitEnd & { readonly names: readonly string[] } {
    if (files.length === 0) return { status: 0, stdout: Buffer.alloc(0), stderr: '', names: [] }
    const options = [...(isStored ? ['-w'] : []), ...(isPlain ? ['--no-filters'] : [])]
    const end = this.#git(this.#root, ['hash-object', ...options, '--stdin-paths'], files.map((each) => `${quoted(each)}\n`).join(''))
    return { ...end, names: end.stdout.toString().split('\n').slice(0, files.length) }
  }

  /** Runs git in the tree, and returns its output. */
  ask(args: readonly string[], input: string): Buffer {
    return this.#git(this.#root, args, input).stdout
  }

  [Symbol.dispose](): void {
    rmSync(this.#root, { recursive: true, force: true })
  }

  #write(file: string, bytes: Buffer): void {
    const target = path.join(this.#root, file)
    mkdirSync(path.dirname(target), { recursive: true })
    writeFileSync(target, bytes)
  }
}
