import { lstatSync } from 'node:fs'

const original = '/etc/paddock/git-core/git-submodule'

/** Returns the path of the script that implements `git submodule` (git's git-submodule.sh); null without such a script. */
export function submoduleScript(): string | null {
  const places = ['/usr/lib/git-core', '/usr/libexec/git-core', '/usr/local/libexec/git-core'].map((each) => `${each}/git-submodule`)
  return places.find((each) => lstatSync(each, { throwIfNoEntry: false })?.isFile() === true) ?? null
}

/**
 * Returns the entries that refuse those subcommands of `git submodule` that remove or change what is read-only: settings of a config that the
 * cell has no copy of, and with `deinit` the .git files of submodules. Git itself reports success though it has removed only a part.
 */
export function submoduleScriptEntries(script: string) {
  const content = `#!/bin/sh
for paddock_word
do
	case $paddock_word in
	-*)
		;;
	deinit | sync | set-url)
		paddock_config=$(git rev-parse --git-common-dir)/config || exit
		if test -e "$paddock_config" && { ! test -w "$paddock_config" || { test "$paddock_word" = deinit && test -L "$paddock_config"; }; }
		then
			echo "fatal: git submodule $paddock_word changes files that are read-only in a Paddock cell." >&2
			echo "hint: Nothing was changed. Run it outside the cell." >&2
			exit 128
		fi
		break
		;;
	*)
		break
		;;
	esac
done
. ${original}
`
  return [
    { kind: 'bind', source: script, target: original, access: 'ro', reason: 'toolchain' },
    { kind: 'file', target: script, content, isExecutable: true },
  ] as const
}
