import { spawnSync } from 'node:child_process'
import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { inCell, makeStage, ordinary } from '../support/cli.ts'
import { families } from './table/rows.ts'

/** Settings of services and of the machine, which a program in a cell does not need, and settings that may hold credentials. */
const leftOut =
  /^\/etc\/(?:apache2|apparmor\.d|apt|bash\.bashrc|cron\.|dbus-1|default|dhcp|init\.d|ldap|logcheck|logrotate\.d|maven\/settings\.xml|modprobe\.d|nginx|pam\.d|postgresql-common|profile\.d|redis|rlwrap|security|skel|ssh|systemd|ufw|update-motd\.d|wgetrc)/

const lines = (program: string, args: readonly string[]): readonly string[] =>
  spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1e9 }).stdout.split('\n').filter(Boolean)

/** Returns the packages with the programs that rows of the table need. */
function packagesOfRows(): readonly string[] {
  const needs = Object.values(families).flatMap((rows) => rows.flatMap((row) => row.needs.filter((each) => !each.startsWith('npm:'))))
  const programs = [...new Set(needs)].map((each) => path.resolve('/usr/bin', each)).filter((each) => existsSync(each))
  const owners = lines('dpkg-query', ['-S', ...programs.flatMap((each) => [each, realpathSync(each)])])
  return [...new Set(owners.flatMap((each) => each.split(': ')[0]?.split(', ') ?? []))].filter((each) => !each.startsWith('diversion '))
}

/** Returns the settings of packages that every user can read, and the targets of links from /usr to /etc and /var. */
function filesOf(packages: readonly string[]): readonly string[] {
  const settings = lines('dpkg-query', ['-W', '-f', `\${Conffiles}\n`, ...packages]).map((each) => each.trim().split(' ')[0] ?? '')
  const links = lines('dpkg-query', ['-L', ...packages])
    .filter((each) => each.startsWith('/usr/') && lstatSync(each, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    .map((each) => path.resolve(path.dirname(each), readlinkSync(each)))
    .filter((each) => /^\/(?:etc|var)\//.test(each))
  return [...new Set([...settings, ...links])].filter(isForAll).sort()
}

function isForAll(file: string): boolean {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat !== undefined && (stat.mode & 0o004) !== 0 && (!stat.isDirectory() || readdirSync(file).length > 0)
}

test.each(ordinary)('as %s, a cell has the settings of the packages whose programs the table runs', async (who) => {
  const files = filesOf(packagesOfRows())
  expect(files.length).toBeGreaterThan(9)
  using stage = makeStage(who)
  stage.put('files', files.join('\n'))
  stage.own()
  const ran = await inCell(stage, 'while read -r each; do [ -r "$each" ] || echo "$each"; done < files')
  expect(ran.code, ran.stderr).toBe(0)
  expect(ran.stdout.split('\n').filter((each) => each !== '' && !leftOut.test(each))).toEqual([])
})
