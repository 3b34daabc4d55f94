import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { zstdDecompressSync } from 'node:zlib'

const here = import.meta.dirname
const makeTree = fileURLToPath(new URL('../../../scripts/tree.sh', import.meta.url))

/** What a guest starts with. */
export interface GuestImages {
  /** The uncompressed kernel. */
  readonly kernel: string
  /** The initial RAM disk. */
  readonly ramDisk: string
  /** The root file system (ext4). */
  readonly root: string
}

/**
 * Returns the images of a guest that is Debian 13 with its own kernel and these packages. Makes them beside the tree of that release, unless
 * they exist (scripts/tree.sh).
 */
export function guestImages(packages: readonly string[]): GuestImages {
  const all = ['linux-image-cloud-amd64', 'busybox-static', 'iproute2', 'kmod', ...packages]
  const tree = execFileSync(makeTree, ['make', 'trixie', ...all], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim()
  const directory = `${tree}.guest`
  const images = {
    kernel: path.join(directory, 'vmlinux'),
    ramDisk: path.join(directory, 'initrd'),
    root: path.join(directory, 'root.ext4'),
  }
  if (existsSync(directory)) return images
  const made = `${directory}.new`
  rmSync(made, { recursive: true, force: true })
  mkdirSync(made)
  writeFileSync(path.join(made, 'vmlinux'), uncompressed(readFileSync(only(path.join(tree, 'boot/vmlinuz-*')))))
  makeRamDisk(tree, path.join(made, 'initrd'))
  execFileSync('mke2fs', ['-q', '-t', 'ext4', '-d', tree, path.join(made, 'root.ext4'), '1500M'])
  renameSync(made, directory)
  return images
}

/**
 * Returns the ELF file in a kernel image, which QEMU starts without the decompressor (PVH), as Linux's scripts/extract-vmlinux finds it: at
 * the magic number of a Zstandard frame (RFC 8878, section 3.1.1).
 */
function uncompressed(image: Buffer): Buffer {
  const magic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])
  for (let at = image.indexOf(magic); at !== -1; at = image.indexOf(magic, at + 1)) {
    try {
      const file = zstdDecompressSync(image.subarray(at))
      if (file.subarray(1, 4).toString() === 'ELF') return file
    } catch {
      // These four bytes begin no frame.
    }
  }
  throw new Error('the kernel image contains no Zstandard frame with an ELF file')
}

function makeRamDisk(tree: string, file: string): void {
  const content = `${file}.content`
  for (const each of ['bin', 'modules', 'proc', 'sys', 'dev', 'root']) mkdirSync(path.join(content, each), { recursive: true })
  const busybox = path.join(tree, 'usr/bin/busybox')
  copyFileSync(busybox, path.join(content, 'bin/busybox'))
  for (const each of ['sh', 'mount', 'insmod', 'switch_root']) symlinkSync('busybox', path.join(content, 'bin', each))
  for (const each of ['virtio_mmio', 'virtio_blk']) {
    const compressed = readFileSync(only(path.join(tree, `usr/lib/modules/*/kernel/drivers/*/${each}.ko.xz`)))
    writeFileSync(path.join(content, `modules/${each}.ko`), execFileSync(busybox, ['xz', '-dc'], { input: compressed, maxBuffer: 2 ** 26 }))
  }
  copyFileSync(path.join(here, 'init'), path.join(content, 'init'))
  chmodSync(path.join(content, 'init'), 0o755)
  const archive = execFileSync('sh', ['-c', 'find . | "$0" cpio -o -H newc', busybox], {
    cwd: content,
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  writeFileSync(file, archive)
  rmSync(content, { recursive: true })
}

function only(pattern: string): string {
  const [file, ...more] = globSync(pattern)
  if (file === undefined || more.length > 0) throw new Error(`${pattern} matches ${more.length === 0 ? 'no file' : 'several files'}`)
  return file
}
