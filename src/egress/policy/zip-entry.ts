import { inflateRawSync } from 'node:zlib'

const mostBytes = 1_048_576

/** Returns the first file in a ZIP archive whose path ends with this; null if there is none that can be read. Never throws (APPNOTE.TXT). */
export function zipEntry(archive: Buffer, ending: string): Buffer | null {
  try {
    const end = archive.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'))
    if (end < 0) return null
    let at = archive.readUInt32LE(end + 16)
    for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
      if (archive.readUInt32LE(at) !== 0x02014b50) return null
      const [name, extra, comment] = [28, 30, 32].map((each) => archive.readUInt16LE(at + each)) as [number, number, number]
      if (archive.toString('utf8', at + 46, at + 46 + name).endsWith(ending)) return content(archive, at)
      at += 46 + name + extra + comment
    }
    return null
  } catch {
    return null
  }
}

/** `at`: the position of the entry in the central directory. */
function content(archive: Buffer, at: number): Buffer | null {
  const [method, size, header] = [archive.readUInt16LE(at + 10), archive.readUInt32LE(at + 20), archive.readUInt32LE(at + 42)]
  const start = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28)
  const bytes = archive.subarray(start, start + size)
  if (method === 0) return bytes
  return method === 8 ? inflateRawSync(bytes, { maxOutputLength: mostBytes }) : null
}
