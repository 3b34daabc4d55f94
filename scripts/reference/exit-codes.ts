import { type ErrorCode, errorExitCodes, exitCodes } from '../../src/base/errors.ts'
import { code, heading, table } from './markdown.ts'

const meanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  done: 'done',
  no: 'it ran, and the answer is no: a contest without a ranking, a judging without a score, a machine on which cells do not work',
  badInput: 'bad input: an option, a name, a path or a file that Paddock cannot use',
  timedOut: '`paddock run`: timed out, or silent for too long',
  cannot: 'Paddock could not do it',
  notRunnable: '`paddock run`: the command exists but cannot be run',
  notFound: 'the agent is not installed, or the command is not in the cell',
  cancelled: 'cancelled by SIGINT, SIGTERM or SIGHUP',
}

/** The meaning of each kind of error. */
export const errorMeanings: Readonly<Record<ErrorCode, string>> = {
  BAD_INPUT: 'part of your input is not valid; the message names the place',
  NOT_ALLOWED: 'something that no cell may have, such as your home directory as a mount',
  TOPIC_REFUSED: 'the topics of an agent or a lease refuse the text',
  NOT_FOUND: 'what you named does not exist: a contest, copy, volume, cell, question, secret or vault',
  CONFLICT:
    'something changed in the meantime, so nothing was done: the project was edited after it was copied, or a question was answered',
  BUSY: 'another process is using the contest, copy, volume or vault; the message names the process',
  UNENFORCEABLE: 'part of the plan cannot be enforced here, and Paddock never weakens a cell silently',
  CELL_FAILED: 'a cell could not be built',
  FILES_FAILED: 'a file could not be read or written',
  AGENT_NOT_INSTALLED: "an agent's program was not found on this machine",
  LOGIN_NEEDED: 'an agent is not logged in, and no credential was named',
  LOGIN_NOT_RENEWED: 'the service that renews a login could not be reached, or did not answer as it should',
  VAULT_LOCKED: 'the vault is locked',
  WRONG_PASSPHRASE: 'the passphrase, or the key in the keyring, does not open the vault',
  TOO_MANY_TRIES: 'too many wrong passphrases; wait before the next try',
  CREDENTIAL_FAILED: 'a credential store (a keyring, Azure Key Vault) did not return the credential',
  CANCELLED: 'you stopped it',
}

/** Returns the exit codes of every command, and the error codes, each with its exit code. */
export function exitCodesPage(): string {
  return [
    heading('Exit codes', 'src/base/errors.ts'),
    table(
      ['exit code', 'meaning'],
      Object.entries(exitCodes).map(([name, number]) => [code(String(number)), meanings[name as keyof typeof exitCodes]]),
    ),
    'Otherwise, `paddock run` exits like its agent: with its exit code, with 128 + n if signal n ended it, and with 137 if the cell ran out of memory.\n',
    '## Errors\n',
    'An error is one sentence that names the place, usually with a hint. Its kind determines the exit code.\n',
    table(
      ['kind', 'exit code', 'meaning'],
      Object.entries(errorExitCodes).map(([name, number]) => [code(name), code(String(number)), errorMeanings[name as ErrorCode]]),
    ),
  ].join('\n')
}
