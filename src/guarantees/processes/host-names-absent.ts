import { existsSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { broken, type Guarantee, held } from '../guarantee.ts'

export const hostNamesAbsent: Guarantee = {
  id: 'host-names-absent',
  chapter: 'processes',
  claim: "A cell's host name, machine-id and users reveal nothing about the machine: they are the same in every cell.",
  mechanism: 'A separate UTS namespace, and files in /etc that are made for the cell.',
  kind: 'structural',
  why: 'Values that identify a machine (its host name, machine-id, accounts) are not in the cell, so they cannot be sent.',
  fails: [
    'Paths contain the names of your home and the project. If you are an ordinary user, the user name does too.',
    "/proc shows the kernel's version, its boot_id, the processors and the memory, and mountinfo shows paths of the host.",
  ],
  notAt: ['L1'],
  probe: async (bench) => {
    const read = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8').trim() : '')
    const { result } = await bench.inside(({ fs, os }) => {
      const text = (file: string): string => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : '')
      return {
        names: [os.hostname(), text('/etc/hostname'), text('/proc/sys/kernel/hostname')],
        domain: text('/proc/sys/kernel/domainname'),
        ids: [text('/etc/machine-id'), text('/var/lib/dbus/machine-id')],
        hosts: text('/etc/hosts'),
        users: text('/etc/passwd')
          .split('\n')
          .map((line) => line.split(':')[0] ?? ''),
        groups: text('/etc/group').split('\n').length,
      }
    }, null)
    const [machine, id] = [hostname(), read('/etc/machine-id')]
    const odd = result.names.filter((each) => each !== 'paddock')
    if (odd.length > 0) return broken(`the host name in the cell is ${odd.join(', ')}`)
    if (!/^(\(none\))?$/.test(result.domain)) return broken(`the domain in the cell is ${result.domain}`)
    if (machine !== 'paddock' && machine !== 'localhost' && result.hosts.split(/\s+/).includes(machine))
      return broken("the host's name is in /etc/hosts")
    if (result.ids.some((each) => each !== '' && !/^0+$/.test(each))) return broken('the machine-id in the cell is not empty')
    if (id !== '' && result.ids.includes(id)) return broken("the machine-id in the cell is the host's")
    const own = ['root', 'nobody', 'agent', bench.machine.user.name]
    const users = result.users.filter((each) => !own.includes(each))
    if (users.length > 0) return broken(`users of the host in /etc/passwd: ${users.join(', ')}`)
    return held(`host name paddock, machine-id ${result.ids[0] === '' ? 'absent' : 'all zero'}, users ${result.users.join(', ')}`)
  },
}
