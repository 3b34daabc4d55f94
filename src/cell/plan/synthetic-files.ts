import type { EgressPolicy } from '../../egress/policy/egress-policy.ts'
import { ended } from '../../git/carried-files.ts'
import type { CellGit } from './cell-git.ts'
import type { SyntheticFile } from './spec.ts'

/** The address in the cell at which the gateway answers DNS. */
export const dnsAddress = '127.0.0.53'
const ignoreFile = '/etc/paddock/gitignore'
const attributesFile = '/etc/paddock/gitattributes'
const templateFile = '/etc/paddock/commit-template'

/** Returns a cell's own files in /etc. They contain nothing about the host's users, hosts or resolvers. `inert`: paths that git ignores. */
export function syntheticFiles(
  identity: { readonly user: string; readonly uid: number; readonly gid: number; readonly home: string; readonly hostname: string },
  egress: EgressPolicy,
  inert: readonly string[],
  git: CellGit,
  hasLockedConfig: boolean,
  moreGitConfig = '',
): readonly SyntheticFile[] {
  const { user, uid, gid, home, hostname } = identity
  const passwd = [`root:x:0:0:root:/nonexistent:/usr/sbin/nologin`, `nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin`]
  if (uid !== 0) passwd.push(`${user}:x:${uid}:${gid}:${user}:${home}:/bin/sh`)
  const files: SyntheticFile[] = [
    { target: '/etc/passwd', content: lines(passwd) },
    { target: '/etc/group', content: lines(['root:x:0:', 'nogroup:x:65534:', ...(gid === 0 ? [] : [`${user}:x:${gid}:`])]) },
    { target: '/etc/hosts', content: lines([`127.0.0.1 localhost ${hostname}`, `::1 localhost ip6-localhost`]) },
    { target: '/etc/hostname', content: lines([hostname]) },
    {
      target: '/etc/nsswitch.conf',
      content: lines([
        'passwd: files',
        'group: files',
        'shadow: files',
        'hosts: files dns',
        'networks: files',
        'protocols: files',
        'services: files',
      ]),
    },
    {
      target: '/etc/resolv.conf',
      content: egress.mode === 'off' ? '' : lines([`nameserver ${dnsAddress}`, 'options edns0 timeout:10 attempts:2']),
    },
    { target: '/etc/machine-id', content: lines(['0'.repeat(32)]) },
    { target: '/etc/gitconfig', content: gitConfig(git, hasLockedConfig) + moreGitConfig },
  ]
  // At the end, because a later pattern takes precedence.
  files.push({ target: ignoreFile, content: ended(git.ignore) + lines(inert.map((each) => `/${each}`)) })
  if (git.attributes !== '') files.push({ target: attributesFile, content: git.attributes })
  if (git.template !== null) files.push({ target: templateFile, content: git.template })
  return files
}

function gitConfig(git: CellGit, hasLockedConfig: boolean): string {
  const config = ['[core]', `\texcludesFile = ${ignoreFile}`]
  if (git.attributes !== '') config.push(`\tattributesFile = ${attributesFile}`)
  if (git.template !== null) config.push('[commit]', `\ttemplate = ${templateFile}`)
  config.push('[safe]', '\tdirectory = *')
  // Git cannot create a branch if it cannot write its upstream to the config.
  if (hasLockedConfig) config.push('[branch]', '\tautoSetupMerge = false')
  return git.config + lines(config)
}

function lines(text: readonly string[]): string {
  return text.map((each) => each + '\n').join('')
}
