import { crc32, deflateRawSync } from 'node:zlib'

/** Returns a ZIP archive with one file. */
export function zipOf(name: string, text: string): Buffer {
  const [content, packed] = [Buffer.from(text), deflateRawSync(text)]
  const common = Buffer.alloc(26)
  common.writeUInt16LE(20, 0)
  common.writeUInt16LE(8, 4)
  common.writeUInt32LE(crc32(content), 10)
  common.writeUInt32LE(packed.length, 14)
  common.writeUInt32LE(content.length, 18)
  common.writeUInt16LE(name.length, 22)
  const local = Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), common, Buffer.from(name), packed])
  const central = Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000', 'latin1'), common, Buffer.alloc(14), Buffer.from(name)])
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006', 0, 'latin1')
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(local.length, 16)
  return Buffer.concat([local, central, end])
}
