import { isRefName } from '../../plan/laundered/git-parts.ts'

const id = '(?:[0-9a-f]{40}|[0-9a-f]{64})'
const onlyId = new RegExp(`^${id}$`)
const packedLine = new RegExp(`^(?:#.*|\\^${id}|${id} (refs/\\S+))?$`)

/** Returns true for the content of a HEAD or of a ref: an object ID, or the name of a ref. A HEAD names a branch (git-symbolic-ref(1)). */
export function isRef(content: string, isHead: boolean): boolean {
  const text = content.replace(/\n$/, '')
  const ref = /^ref: (refs\/\S+)$/.exec(text)?.[1]
  if (ref === undefined) return onlyId.test(text)
  return isRefName(ref.split('/')) && (!isHead || ref.startsWith('refs/heads/'))
}

/** Returns true for a valid list of packed refs. One bad name makes git fail for all refs. */
export function arePackedRefs(content: string): boolean {
  return content.split('\n').every((each) => {
    const found = packedLine.exec(each)
    const ref = found?.[1]
    return found !== null && (ref === undefined || (isRefName(ref.split('/')) && !ref.startsWith('refs/replace/')))
  })
}

/** Returns true for lines that are object IDs. */
export function areIds(content: string): boolean {
  return content.split('\n').every((each) => each === '' || onlyId.test(each))
}

/**
 * Returns true if no entry of an index (gitformat-index(5)) leads git out of its work tree or into a git directory, and the index needs
 * no other file. Git does not check the paths of an index when it reads it. `hashBytes`: the length of an object ID in the repository. With
 * another length, the same bytes are other entries.
 */
export function isPlainIndex(index: Buffer, hashBytes: number): boolean {
  if (index.length < 12 + hashBytes || index.toString('latin1', 0, 4) !== 'DIRC') return false
  const [version, count] = [index.readUInt32BE(4), index.readUInt32BE(8)]
  if (version < 2 || version > 4) return false
  const end = index.length - hashBytes
  let at = 12
  let last = ''
  for (let n = 0; n < count; n++) {
    const start = at
    const flagsAt = at + 40 + hashBytes
    if (flagsAt + 4 > end) return false
    const mode = index.readUInt32BE(at + 24)
    const isExtended = (index.readUInt16BE(flagsAt) & 0x4000) !== 0
    at = flagsAt + (isExtended && version > 2 ? 4 : 2)
    let kept = 0
    if (version === 4) {
      const read = prefixLength(index, at)
      if (read === null || read.drop > last.length) return false
      kept = last.length - read.drop
      at = read.next
    }
    const stop = index.indexOf(0, at)
    if (stop < 0 || stop > end) return false
    last = last.slice(0, kept) + index.toString('latin1', at, stop)
    if (!isPlainPath(last) || ![0o100644, 0o100755, 0o120000, 0o160000].includes(mode)) return false
    at = version === 4 ? stop + 1 : start + ((stop - start + 8) & ~7)
  }
  return hasKnownExtensions(index, at, end)
}

/** Reads the number of bytes to drop from the path before, in the encoding of pack files (gitformat-index(5), version 4). */
function prefixLength(index: Buffer, from: number): { drop: number; next: number } | null {
  let at = from
  let byte = index[at++] ?? 0
  let drop = byte & 0x7f
  for (let n = 0; (byte & 0x80) !== 0; n++) {
    if (n > 3) return null
    byte = index[at++] ?? 0
    drop = ((drop + 1) << 7) | (byte & 0x7f)
  }
  return { drop, next: at }
}

/** Extensions that only speed git up or describe the entries. `link`, for example, would add the entries of another file. */
function hasKnownExtensions(index: Buffer, from: number, end: number): boolean {
  let at = from
  while (at + 8 <= end) {
    if (!['TREE', 'REUC', 'EOIE', 'IEOT'].includes(index.toString('latin1', at, at + 4))) return false
    at += 8 + index.readUInt32BE(at + 4)
  }
  return at === end
}

function isPlainPath(file: string): boolean {
  return file.split('/').every((each) => each !== '' && each !== '.' && each !== '..' && !isGitName(each))
}

/** Returns true for names that are `.git` on some file system (verify_path in git's read-cache.c). */
function isGitName(name: string): boolean {
  const plain = Buffer.from(name, 'latin1')
    .toString('utf8')
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
  return /^(?:\.git|git~1)[. ]*(?::.*)?$/.test(plain)
}
