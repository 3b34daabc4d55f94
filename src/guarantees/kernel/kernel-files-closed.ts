import { broken, type Guarantee, held } from '../guarantee.ts'

export const kernelFilesClosed: Guarantee = {
  id: 'kernel-files-closed',
  chapter: 'kernel',
  claim: 'A cell has only harmless devices and no /sys, and can change no kernel setting.',
  mechanism:
    "A private /dev with null, zero, full, random, urandom, tty and ptmx; no sysfs; the cell's own /proc, whose settings belong to another user.",
  kind: 'structural',
  why: 'There is no device node of a disk, of memory, of a hypervisor or of the network to open, and none can be made, because mknod needs a capability.',
  fails: ["/proc of the cell shows the machine's load, memory and kernel version."],
  probe: async (bench) => {
    const { result } = await bench.inside(({ fs, attempt, sh }) => {
      const devices: string[] = []
      const look = (directory: string): void => {
        for (const each of fs.readdirSync(directory, { withFileTypes: true })) {
          const file = `${directory}/${each.name}`
          if (each.isDirectory()) look(file)
          else if (each.isBlockDevice() || each.isCharacterDevice()) devices.push(file)
        }
      }
      look('/dev')
      const write = (file: string, text: string): string => attempt(() => fs.writeFileSync(file, text, { flag: 'r+' }))
      return {
        devices,
        sys: attempt(() => fs.readdirSync('/sys')),
        node: sh('mknod /tmp/disk b 259 0 && cat /tmp/disk | head -c 1')?.code,
        written: [
          ['/proc/sys/kernel/core_pattern', write('/proc/sys/kernel/core_pattern', '|/tmp/x')],
          ['/proc/sys/kernel/hostname', write('/proc/sys/kernel/hostname', 'x')],
          ['/proc/sys/net/ipv4/ip_forward', write('/proc/sys/net/ipv4/ip_forward', '1')],
          ['/proc/sys/user/max_user_namespaces', write('/proc/sys/user/max_user_namespaces', '9')],
          ['/proc/sysrq-trigger', write('/proc/sysrq-trigger', '')],
          ['/proc/self/oom_score_adj (lower)', write('/proc/self/oom_score_adj', '-900')],
          ['/proc/kcore', attempt(() => fs.openSync('/proc/kcore', 'r'))],
          ['/proc/kmsg', attempt(() => fs.openSync('/proc/kmsg', 'r'))],
        ] as const,
      }
    }, null)
    const harmless = /^\/dev\/(null|zero|full|random|urandom|tty|ptmx|console|pts\/\w+)$/
    const odd = result.devices.filter((each) => !harmless.test(each))
    if (odd.length > 0) return broken(`devices in the cell: ${odd.join(', ')}`)
    if (result.sys !== 'ENOENT') return broken(`/sys is there (${result.sys})`)
    if (result.node === 0) return broken('a device node was made and read')
    const passed = result.written.filter(([, outcome]) => outcome === 'ok')
    if (passed.length > 0) return broken(`could be opened or written: ${passed.map(([file]) => file).join(', ')}`)
    return held(
      `devices ${result.devices.map((each) => each.slice(5)).join(', ')}; /sys absent; ${result.written.length} kernel files refused (${[...new Set(result.written.map(([, outcome]) => outcome))].join(', ')})`,
    )
  },
}
