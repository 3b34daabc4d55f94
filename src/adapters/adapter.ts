import type { RunLaterRow } from '../cell/plan/protected/rows.ts'
import type { MountWish } from '../cell/plan/spec.ts'
import type { LoginFormat } from '../credentials/format.ts'
import type { CredentialPlace } from '../egress/placeholder/credential.ts'
import type { AllowEntry } from '../egress/policy/policy.ts'
import type { InstructionFiles } from './instruction-files.ts'
import type { SessionNotes } from './last-session.ts'
import type { AgentEvent } from './output/events.ts'

/** The vendor of a model, in lower case. `none` is for an agent without a model, and `various` for a vendor that the adapter cannot determine. */
export type Family = string

/** Where an agent's program was found on the host, and what the cell must see to run it. */
export interface Installation {
  /** The program as the cell calls it: an absolute path. */
  readonly program: string
  /** Directories and files that must be visible, read-only. */
  readonly mounts: readonly MountWish[]
  /** Directories to put in front of PATH (for example the one of the `node` it needs). */
  readonly pathEntries: readonly string[]
  readonly version: string | null
}

export interface AgentWishes {
  readonly model: string | null
  /** Extra arguments, passed on as they are. */
  readonly args: readonly string[]
  /** A base URL in place of the vendor's (a local model endpoint, a gateway): its root, without the API's version (`/v1`). */
  readonly baseUrl: string | null
  /** The one of `credentials` that the cell gets; null: none. Absent: the adapter's first. Some CLIs must be told which kind it is. */
  readonly credential?: CredentialSource | null
  /** The conversation to continue; null or absent: a new one. Only `headless` heeds it. */
  readonly conversation?: string | null
  /** An MCP server that it is to use, over HTTP; null or absent: none. Only adapters that say `usesMcp` heed it. */
  readonly mcp?: McpEndpoint | null
  /** Absolute path of the private home in the cell. */
  readonly home: string
  /** Absolute path in the cell that the agent works in. */
  readonly cwd: string
}

/** An MCP server as a CLI is pointed at it. */
export interface McpEndpoint {
  /** `http://HOST/PATH`, as the cell reaches it. */
  readonly url: string
  /** For `Authorization: Bearer`. */
  readonly token: string
}

/** Seconds that a CLI waits for a tool of such a server: a human may take a while. */
export const mcpSeconds = 7 * 86_400

/** What to start: the prompt itself travels on standard input, never here. */
export interface AgentCommand {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Files that must be in the private home before the start: path relative to home, content, 0600. Written only where absent unless `overwrite`. */
  readonly homeFiles: readonly { readonly path: string; readonly content: string; readonly overwrite: boolean }[]
}

/** Ways an agent gets its credential, best first. */
export type CredentialSource =
  | { readonly kind: 'env'; readonly name: string }
  | { readonly kind: 'snapshot'; readonly hostPath: string; readonly homePath: string }

/** Where an agent's credential goes: what the gateway needs to swap a placeholder for the real one. */
export interface CredentialUse {
  /** Exact names, port 443; the paths as rules have them. What hands out further credentials for this one is not among the paths. */
  readonly hosts: readonly { readonly host: string; readonly paths: readonly string[] }[]
  readonly places: readonly CredentialPlace[]
}

/** A login of the host, without its secrets: the facts that a placeholder for it must show. */
export interface LoginFacts {
  /** Of an agent with several vendors; else null. */
  readonly provider: string | null
  readonly kind: 'subscription' | 'key'
  readonly facts: Readonly<Record<string, unknown>>
}

/** Makes worthless words. */
export interface PlaceholderMaker {
  /** Random letters behind a prefix. */
  word(prefix: string): string
  /** A worthless text in the form of a JSON Web Token with these claims. */
  token(claims: Readonly<Record<string, unknown>>): string
}

/** A login as a cell holds it. */
export interface LoginPlaceholder<Login extends LoginFacts = LoginFacts> {
  readonly login: Login
  readonly use: CredentialUse
  /** What stands for the access token. */
  readonly access: string
  /** Where the CLI renews it, which the gateway answers. Absent if it never does. */
  readonly renewal?: {
    readonly host: string
    readonly paths: readonly string[]
    /** What stands for the refresh token. */
    readonly refresh: string
    /** The answer with another placeholder for the access token, as the vendor would give it. */
    readonly reply: (access: string) => unknown
  }
}

/** How placeholders replace an agent's credentials. Absent parts support only the ways without a placeholder. */
export interface PlaceholderSupport {
  /** By the name of the variable that holds a key. */
  readonly keys: Readonly<Record<string, CredentialUse>>
  /** Where the CLI can be pointed at another base URL with a stored login, too: that login's use. */
  readonly storedElsewhere?: CredentialUse
  /** The files of the private home that the CLI reads its stored logins from; logins that nothing can stand for are left out. Pure. */
  stored?<Login extends LoginFacts>(
    logins: readonly Login[],
    make: PlaceholderMaker,
  ): {
    readonly files: readonly { readonly path: string; readonly content: string }[]
    readonly placeholders: readonly LoginPlaceholder<Login>[]
  }
}

/** How the CLI's own login is started; what it leaves is in `loginFormat`. The words are those of the CLI; none was run against its real service. */
export interface LoginWay {
  /** The arguments after the program. */
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Ports of the cell's loopback that a browser is sent back to. */
  readonly callbackPorts: readonly number[]
  /** The argument of the CLI with which no browser comes back. */
  readonly withoutCallback?: string
  /** It works only in a terminal. */
  readonly needsTerminal?: boolean
  /** What the user does, in few words. */
  readonly how: string
}

/** What is known of one agent CLI; its folder holds all of it. Everything here is data or pure, but for `locate`. */
export interface AgentAdapter {
  readonly name: string
  readonly family: Family
  /** True if it has been run with the real CLI. False is reported in `doctor`, docs and output. */
  readonly tried: boolean
  /** What it says of its work: nothing, its steps and tokens, or also what they cost. */
  readonly reports: 'nothing' | 'tokens' | 'cost'
  /** True if `AgentWishes.mcp` has an effect on a headless run. */
  readonly usesMcp?: true
  /** True: a request names the whole command line. Such a program is none of a vendor's that Paddock knows by name. */
  readonly takesCommand?: true
  /** The program's name in PATH. */
  readonly program: string
  /** One pasteable line. */
  readonly installHint: string
  /** API and login hosts, as presets use them. */
  readonly hosts: readonly AllowEntry[]
  /** State directory relative to home, for example `.claude`. */
  readonly stateDirectory: string
  readonly credentials: (home: string) => readonly CredentialSource[]
  readonly placeholders: PlaceholderSupport
  /** What it runs or obeys in a project later: protected paths, and what is named at the end of a cell. Absent: nothing of its own. */
  readonly runLater?: readonly RunLaterRow[]
  /** What it loads by itself out of the directory that it works in, or out of one above or below it. Absent: nothing of its own. */
  readonly instructionFiles?: InstructionFiles
  /** Where its installers put it, relative to the user's home. Directories of programs and libraries: all cells see the shown ones. */
  readonly installedIn?: { readonly searched?: readonly string[]; readonly shown?: readonly string[] }
  /** Variables with which it takes a bundle of certificates, besides those that other programs read. */
  readonly bundleVariables?: readonly string[]
  /** How it keeps a login. Loaded on demand, because most commands have no use for it. Absent: it keeps no login. */
  readonly loginFormat?: () => Promise<LoginFormat>
  /** Absent: it has no login. */
  readonly login?: LoginWay
  headless(wishes: AgentWishes, installation: Installation): AgentCommand
  interactive(wishes: AgentWishes, installation: Installation): AgentCommand
  /** How a conversation is continued that ended; absent: it cannot be. */
  readonly sessions?: SessionNotes
  /** Looks for the program in the given PATH directories; null: not installed. */
  locate(search: readonly string[]): Promise<Installation | null>
  /** A fresh parser of the native output of one headless run. */
  parser(): AgentParser
}

/** Turns native output into events. Never throws: what it does not know comes out as `unknown`. */
export interface AgentParser {
  /** One line of standard output, without its newline. */
  line(text: string): readonly AgentEvent[]
  /** After the exit: what standard error and the exit code tell on top (login, limits). Exit code and typed events rank before prose. */
  end(exit: { readonly code: number | null; readonly stderr: string }): readonly AgentEvent[]
}
