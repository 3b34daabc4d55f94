/** A commit object as git stores it (git-cat-file(1)). Names and messages are bytes in the commit's own encoding. */
export interface RawCommit {
  readonly tree: string
  readonly parents: readonly string[]
  readonly author: Buffer
  readonly committer: Buffer
  /** The encoding of the message; null: UTF-8. */
  readonly encoding: string | null
  readonly isSigned: boolean
  /** Names of other header fields, such as `mergetag`. */
  readonly others: readonly string[]
  readonly message: Buffer
}

/** Reads a commit object. Null if the bytes are not one. */
export function readCommit(bytes: Buffer): RawCommit | null {
  const end = bytes.indexOf('\n\n')
  if (end < 0) return null
  const fields: { name: string; value: Buffer }[] = []
  for (const line of bytes.toString('latin1', 0, end).split('\n')) {
    const space = line.indexOf(' ')
    // A line that begins with a space continues the field.
    if (space > 0) fields.push({ name: line.slice(0, space), value: Buffer.from(line.slice(space + 1), 'latin1') })
    else if (space < 0) return null
  }
  const all = (name: string): readonly Buffer[] => fields.flatMap((each) => (each.name === name ? [each.value] : []))
  const [tree, author, committer] = ['tree', 'author', 'committer'].map((each) => all(each)[0])
  if (tree === undefined || author === undefined || committer === undefined) return null
  const isSignature = (name: string): boolean => name === 'gpgsig' || name === 'gpgsig-sha256'
  const known = new Set(['tree', 'parent', 'author', 'committer', 'encoding'])
  return {
    tree: tree.toString(),
    parents: all('parent').map(String),
    author,
    committer,
    encoding: all('encoding')[0]?.toString() ?? null,
    isSigned: fields.some((each) => isSignature(each.name)),
    others: fields.map((each) => each.name).filter((each) => !known.has(each) && !isSignature(each)),
    message: bytes.subarray(end + 2),
  }
}

/** Returns the parts of an author or committer line; null if it is not one. `time`: in seconds since the epoch. */
export function readIdentity(
  line: Buffer,
): { readonly name: string; readonly email: string; readonly time: number; readonly zone: string } | null {
  const [, name, email, time, zone] = /^(.*?) ?<([^<>]*)> (\d+) ([+-]\d{4})$/s.exec(line.toString()) ?? []
  return name === undefined || email === undefined || time === undefined || zone === undefined
    ? null
    : { name, email, time: Number(time), zone }
}
