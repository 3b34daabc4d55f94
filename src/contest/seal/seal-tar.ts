/** A file in an archive: a sealed file without its contents. */
export interface TarFile {
  /** The relative path, with `/` between names. */
  readonly path: string
  readonly size: number
  readonly mode: '0644' | '0755'
}

export const tarBlock = 512
/** The end of an archive (POSIX.1-2024, pax, "ustar Interchange Format"). */
export const tarEnd = Buffer.alloc(2 * tarBlock)

/** 2000-01-01, the fixed modification time of all files, because real times are not kept. */
const time = 946_684_800
const largestOctal = 0o77777777777
const mostNameBytes = 100

/**
 * Returns the header before a file's bytes in an archive. The header depends only on the file's path, size and mode, so the same
 * submission always gives the same archive, and a reader knows each byte in advance. A path or size that does not fit into a ustar header
 * is in a pax extended header.
 */
export function tarHeader({ path, size, mode }: TarFile): Buffer {
  const records: string[] = []
  const plain = /^[\x20-\x7e]+$/.test(path) && path.length <= mostNameBytes
  if (!plain) records.push(record('path', path))
  if (size > largestOctal) records.push(record('size', String(size)))
  const header = block('0', plain ? path : 'in-the-pax-header', size > largestOctal ? 0 : size, mode)
  if (records.length === 0) return header
  const extended = Buffer.from(records.join(''))
  return Buffer.concat([block('x', 'pax', extended.length, '0644'), extended, tarPadding(extended.length), header])
}

/** Returns the zeros that fill the last block of a file. */
export function tarPadding(size: number): Buffer {
  return Buffer.alloc((tarBlock - (size % tarBlock)) % tarBlock)
}

/** Returns `LENGTH KEY=VALUE\n`, where the length includes its own digits. */
function record(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`
  const bytes = Buffer.byteLength(rest)
  const length = bytes + String(bytes + String(bytes).length).length
  return `${length}${rest}`
}

function block(type: '0' | 'x', name: string, size: number, mode: string): Buffer {
  const header = Buffer.alloc(tarBlock)
  const octal = (value: number, at: number, width: number): void => {
    header.write(`${value.toString(8).padStart(width - 1, '0')}\0`, at, 'latin1')
  }
  header.write(name, 0, 'latin1')
  octal(Number.parseInt(mode, 8), 100, 8)
  octal(0, 108, 8)
  octal(0, 116, 8)
  octal(size, 124, 12)
  octal(time, 136, 12)
  header.write(`        ${type}`, 148, 'latin1')
  header.write('ustar\x0000', 257, 'latin1')
  octal(0, 329, 8)
  octal(0, 337, 8)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return header
}
