import { type AuditLine, noHash, readLine } from './line.ts'
import { type Snapshot, snapshotOf } from './log-snapshot.ts'
import { rawLines } from './raw-lines.ts'
import { isSeal, maxTorn, seals } from './torn.ts'

/** The problem with the first damaged or changed line. */
export interface AuditProblem {
  /**
   * `changed`: its bytes are different. `dropped`: lines before it are missing. `reordered`: it is in another place or occurs twice.
   * `truncated`: the newest lines are missing. `torn`: the last line is incomplete, and Paddock has not written since. `head`: the
   * head file is missing. `replaced`: no line has the hash that was noted elsewhere.
   */
  readonly kind: 'changed' | 'dropped' | 'reordered' | 'truncated' | 'torn' | 'head' | 'replaced'
  readonly file: string | null
  /** The line number in its file, counted from 1; null for a file as a whole. */
  readonly line: number | null
  readonly message: string
}

export interface AuditVerdict {
  readonly schemaVersion: 1
  readonly whole: boolean
  readonly files: number
  readonly lines: number
  /** The number of the oldest line that is kept. */
  readonly first: number | null
  /** The newest line. Its hash, stored elsewhere, can be given to `--head` later. */
  readonly head: { readonly seq: number; readonly hash: string; readonly time: string } | null
  readonly problem: AuditProblem | null
  /** Repairs, losses and removed files that the log itself records. At most 100. */
  readonly notes: readonly string[]
}

const maxNotes = 100

/** Verifies the whole log in a directory. `noted`: the hash of one of its lines, which was stored elsewhere. */
export function verifyAudit(directory: string, noted?: string): AuditVerdict {
  using snapshot = snapshotOf(directory)
  return verifySnapshot(snapshot, noted)
}

/** Verifies the log at one moment. `lines` of the verdict counts the intact lines before the first problem. */
export function verifySnapshot(snapshot: Snapshot, noted?: string): AuditVerdict {
  return new Check(snapshot, noted).run()
}

class Check {
  readonly #snapshot: Snapshot
  readonly #noted: string | undefined
  #first: AuditLine | null = null
  #last: AuditLine | null = null
  #lines = 0
  #problem: AuditProblem | null = null
  /** The line number that was expected at the first wrong line, until that number is found further down. */
  #sought: number | null = null
  #garbage: { readonly file: string; readonly line: number; readonly parts: Buffer[]; size: number; ended: boolean } | null = null
  #headSeen = false
  #notedSeen = false
  readonly #removed = new Map<string, number>()
  readonly #notes: string[] = []

  constructor(snapshot: Snapshot, noted: string | undefined) {
    this.#snapshot = snapshot
    this.#noted = noted
  }

  run(): AuditVerdict {
    const { files } = this.#snapshot
    for (const { name, fd, size } of files) {
      for (const raw of rawLines(fd, 0, size)) {
        const line = raw.long || !raw.ended ? null : readLine(raw.bytes)
        if (line === null) this.#unreadable(name, raw)
        else this.#take(name, raw.number, line)
        if (this.#problem !== null && this.#sought === null) break
      }
      if (this.#problem !== null && this.#sought === null) break
    }
    this.#atEnd()
    const { seq, hash: own, time } = this.#last ?? { seq: 0, hash: noHash, time: '' }
    return {
      schemaVersion: 1,
      whole: this.#problem === null,
      files: files.length,
      lines: this.#lines,
      first: this.#first?.seq ?? null,
      head: this.#last === null ? null : { seq, hash: own, time },
      problem: this.#problem,
      notes: this.#notes,
    }
  }

  #fail(kind: AuditProblem['kind'], file: string | null, line: number | null, message: string): void {
    this.#problem ??= { kind, file, line, message }
  }

  #unreadable(
    file: string,
    raw: { readonly bytes: Buffer; readonly number: number; readonly ended: boolean; readonly long: boolean },
  ): void {
    if (this.#sought !== null) return
    this.#garbage ??= { file, line: raw.number, parts: [], size: 0, ended: true }
    this.#garbage.parts.push(raw.bytes)
    this.#garbage.size += raw.bytes.length
    this.#garbage.ended = raw.ended
    if (raw.long || this.#garbage.size > maxTorn) this.#fail('changed', file, raw.number, 'this is not a line of the log')
  }

  #take(file: string, number: number, line: AuditLine): void {
    if (this.#sought !== null) {
      if (line.seq === this.#sought && this.#problem !== null) {
        const message = `line ${line.seq} of the chain is further down, in line ${number} of ${file}`
        this.#problem = { ...this.#problem, kind: 'reordered', message }
        this.#sought = null
      }
      return
    }
    const found = this.#garbage
    if (found !== null && !seals(line, found.parts)) return this.#fail('changed', found.file, found.line, changedMessage(found.parts))
    if (found === null && isSeal(line)) return this.#fail('dropped', file, number, 'the torn line that this line seals is missing')
    this.#garbage = null
    if (!this.#follows(file, number, line)) return
    this.#first ??= line
    this.#last = line
    this.#lines++
    this.#remember(line)
  }

  #follows(file: string, number: number, line: AuditLine): boolean {
    const last = this.#last
    if (last === null || (line.seq === last.seq + 1 && line.prev === last.hash)) return true
    if (line.seq <= last.seq) this.#fail('reordered', file, number, `line ${line.seq} of the chain is after line ${last.seq}`)
    else if (line.seq === last.seq + 1)
      this.#fail('changed', file, number, `line ${last.seq} of the chain, before this one, is not the one that this one refers to`)
    else {
      const missing = line.seq === last.seq + 2 ? `line ${last.seq + 1}` : `lines ${last.seq + 1} to ${line.seq - 1}`
      this.#fail('dropped', file, number, `${missing} of the chain, before this one, ${line.seq === last.seq + 2 ? 'is' : 'are'} missing`)
      this.#sought = last.seq + 1
    }
    return false
  }

  #remember(line: AuditLine): void {
    const { head } = this.#snapshot
    if (head !== null && line.seq === head.seq && line.hash === head.hash) this.#headSeen = true
    if (line.hash === this.#noted) this.#notedSeen = true
    const { data } = line
    if (line.kind === 'audit.removed') this.#removed.set(String(data['hash']), Number(data['last']))
    if (this.#notes.length >= maxNotes) return
    if (isSeal(line)) this.#notes.push(`${line.time}: a line of which ${data['bytes']} bytes were written was sealed by line ${line.seq}`)
    if (line.kind === 'audit.repaired' && data['what'] === 'newline')
      this.#notes.push(`${line.time}: the newline of line ${line.seq - 1} was missing and was added`)
    if (line.kind === 'audit.repaired' && data['what'] === 'head')
      this.#notes.push(`${line.time}: the head file was missing and was created again`)
    if (line.kind === 'audit.lost') this.#notes.push(`${line.time}: ${data['events']} events could not be written and are lost`)
  }

  #atEnd(): void {
    if (this.#problem !== null) return
    const { head, files } = this.#snapshot
    const file = files.at(-1)?.name ?? null
    const [first, last, found] = [this.#first, this.#last, this.#garbage]
    if (found?.ended === true) return this.#fail('changed', found.file, found.line, changedMessage(found.parts))
    if (head !== null && head.seq > (last?.seq ?? 0))
      return this.#fail(
        'truncated',
        file,
        null,
        `the log ends with line ${last?.seq ?? 0} of the chain; the head file says that line ${head.seq} was written`,
      )
    if (found !== null)
      return this.#fail(
        'torn',
        found.file,
        found.line,
        'the last line was not written completely; the next command of Paddock will seal it',
      )
    if (first === null || last === null) {
      if (this.#noted !== undefined && this.#noted !== noHash)
        this.#fail('replaced', null, null, 'the log has no lines, and so none with the hash that was noted: it was emptied or removed')
      return
    }
    if (head === null) return this.#fail('head', 'head.json', null, 'the head file is missing, so a missing end would not be noticed')
    if (head.seq > 0 && head.seq >= first.seq && !this.#headSeen)
      return this.#fail('changed', file, null, `line ${head.seq} of the chain is not the one that the head file names`)
    if (first.seq !== 1 || first.prev !== noHash) {
      if (this.#removed.get(first.prev) !== first.seq - 1)
        return this.#fail(
          'dropped',
          files[0]?.name ?? null,
          1,
          `the log starts with line ${first.seq} of the chain, and no rotation removed what was before`,
        )
      this.#notes.unshift(`begins at line ${first.seq} of the chain: earlier files were rotated out`)
    }
    if (this.#noted !== undefined && !this.#notedSeen && !this.#removed.has(this.#noted))
      this.#fail('replaced', null, null, 'no line has the hash that was noted: the log was replaced, or that line was rotated out')
  }
}

/** Returns the message about a line that is not one of this version. Nobody vouches for the format that it names, so it stays a problem. */
function changedMessage([first]: readonly Buffer[]): string {
  const version = Number(/^\{"schemaVersion":(\d{1,9}),/.exec(first?.toString('latin1') ?? '')?.[1] ?? 0)
  return version > 1
    ? `this line is in a format of a newer Paddock (schemaVersion ${version}; this one reads 1), which can verify it`
    : 'this line was changed after it was written'
}
