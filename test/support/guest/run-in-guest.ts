import { execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { temporary } from '../temporary.ts'
import type { GuestImages } from './guest-images.ts'

const here = import.meta.dirname
/** The machine ends after this many milliseconds, so that a kernel that hangs does not outlive the tests. */
const limit = 3_600_000

/**
 * Runs a script as root in a virtual machine, and returns what it printed on the machine's console. The machine has no network. Its processor
 * is emulated, because not every machine that has /dev/kvm can start a guest with it. `given`: files and directories for the guest's
 * /opt, by name. Changes of the root file system are lost.
 */
export async function runInGuest(images: GuestImages, script: string, given: Readonly<Record<string, string>>): Promise<string> {
  await using place = await temporary()
  const content = place.at('given')
  mkdirSync(content)
  const all = { ...given, script, start: path.join(here, 'start') }
  for (const [name, from] of Object.entries(all)) cpSync(from, path.join(content, name), { recursive: true })
  const disk = place.at('given.ext4')
  execFileSync('mke2fs', ['-q', '-t', 'ext4', '-d', content, disk, '1000M'])
  const child = spawn('qemu-system-x86_64', options(images, disk), {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: limit,
    killSignal: 'SIGKILL',
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  await new Promise((resolve, reject) => child.once('close', resolve).once('error', reject))
  return output.replaceAll('\r', '')
}

function options({ kernel, ramDisk, root }: GuestImages, given: string): readonly string[] {
  const machine = ['-M', 'microvm', '-global', 'virtio-mmio.force-legacy=false', '-cpu', 'max', '-m', '2048', '-smp', '1']
  // In the guest, each instruction takes a nanosecond, so that its deadlines do not depend on how busy the host's processors are.
  const clock = ['-accel', 'tcg,thread=single', '-icount', 'shift=0']
  const console = ['-nodefaults', '-no-user-config', '-nographic', '-no-reboot', '-serial', 'stdio']
  // This machine has no timer with which the kernel could measure the frequency of the processor.
  const words = 'console=ttyS0 quiet panic=-1 reboot=t tsc_early_khz=1000000'
  const disks = [root, given].flatMap((file, index) => [
    ...['-drive', `file=${file},format=raw,if=none,id=disk${index},snapshot=on`],
    ...['-device', `virtio-blk-device,drive=disk${index}`],
  ])
  return [...machine, ...clock, ...console, '-kernel', kernel, '-initrd', ramDisk, '-append', words, ...disks]
}
