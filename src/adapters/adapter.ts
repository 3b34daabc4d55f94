import type { RunLaterRow } from '../cell/plan/protected/rows.ts'
import type { MountWish } from '../cell/plan/spec.ts'
import type { LoginFormat } from '../credentials/format.ts'
import type { CredentialPlace } from '../egress/placeholder/credential.ts'
import type { AllowEntry } from '../egress/policy/policy.ts'
import type { InstructionFiles } from './instruction-files.ts'
import type { SessionNotes } from './last-session.ts'
import type { AgentEvent } from './output/events.ts'

/** The vendor of a model, in lower case. `none`: the agent has no model. `various`: the adapter cannot determine the vendor. */
export type Family = string

/** Where an agent's program was found on the host, and what the cell must see to run it. */
export interface Installation {
  /** The program as the cell calls it: an absolute path. */
  readonly program: string
  /** Directories and files that must be visible, read-only. */
  readonly mounts: readonly MountWish[]
  /** Directories to put in front of PATH (for example that of the `node` it needs). */
  readonly pathEntries: readonly string[]
  readonly version: string | null
}

export interface AgentWishes {
  readonly model: string | null
  /** Extra arguments, passed on unchanged. */
  readonly args: readonly string[]
  /** A base URL that replaces the vendor's (a local model endpoint, a gateway): its root, without the API's version (`/v1`). */
  readonly baseUrl: string | null
  /** The entry of `credentials` that the cell gets; null: none. Absent: the adapter's first. Some CLIs must be told its kind. */
  readonly credential?: CredentialSource | null
  /** The conversation to continue; null or absent: a new one. Only `headless` uses it. */
  readonly conversation?: string | null
  /** An MCP server for the agent, over HTTP; null or absent: none. Only adapters with `usesMcp` use it. */
  readonly mcp?: McpEndpoint | null
  /** Absolute path of the private home in the cell. */
  readonly home: string
  /** Absolute path of the agent's working directory in the cell. */
  readonly cwd: string
}

/** An MCP server in the form that CLIs are configured with. */
export interface McpEndpoint {
  /** `http://HOST/PATH`, as reached from the cell. */
  readonly url: string
  /** For `Authorization: Bearer`. */
  readonly token: string
}

/** Seconds that a CLI waits for a tool of such a server, because a human may take a while. */
export const mcpSeconds = 7 * 86_400

/** What to start. The prompt itself is passed on standard input, never here. */
export interface AgentCommand {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Files that the private home needs before the start: path in the home, content, 0600. Existing ones are kept unless `overwrite`. */
  readonly homeFiles: readonly { readonly path: string; readonly content: string; readonly overwrite: boolean }[]
}

/** Ways an agent gets its credential, best first. */
export type CredentialSource =
  | { readonly kind: 'env'; readonly name: string }
  | { readonly kind: 'snapshot'; readonly hostPath: string; readonly homePath: string }

/** Where an agent's credential is sent, which the gateway needs to swap a placeholder for the credential. */
export interface CredentialUse {
  /** Exact names, port 443; paths in the syntax of rules. Endpoints that issue further credentials for this one are not among them. */
  readonly hosts: readonly { readonly host: string; readonly paths: readonly string[] }[]
  readonly places: readonly CredentialPlace[]
}

/** A login of the host, without its secrets: the facts that its placeholder must show. */
export interface LoginFacts {
  /** The vendor, for an agent with several; else null. */
  readonly provider: string | null
  readonly kind: 'subscription' | 'key'
  readonly facts: Readonly<Record<string, unknown>>
}

/** Makes worthless values. */
export interface PlaceholderMaker {
  /** Returns random letters after a prefix. */
  word(prefix: string): string
  /** Returns a worthless text in the form of a JSON Web Token with these claims. */
  token(claims: Readonly<Record<string, unknown>>): string
}

/** A login in the form that a cell gets. */
export interface LoginPlaceholder<Login extends LoginFacts = LoginFacts> {
  readonly login: Login
  readonly use: CredentialUse
  /** The placeholder for the access token. */
  readonly access: string
  /** Where the CLI renews the login. The gateway answers such requests. Absent if it never renews. */
  readonly renewal?: {
    readonly host: string
    readonly paths: readonly string[]
    /** The placeholder for the refresh token. */
    readonly refresh: string
    /** Returns the answer with another placeholder for the access token, in the vendor's form. */
    readonly reply: (access: string) => unknown
  }
}

/** How placeholders replace an agent's credentials. Absent parts support only the ways without a placeholder. */
export interface PlaceholderSupport {
  /** The uses of keys, by the name of the key's variable. */
  readonly keys: Readonly<Record<string, CredentialUse>>
  /** The use of a stored login with another base URL, if the CLI supports that. */
  readonly storedElsewhere?: CredentialUse
  /** Returns the files from which the CLI reads its stored logins in the private home, without logins that have no placeholder. Pure. */
  stored?<Login extends LoginFacts>(
    logins: readonly Login[],
    make: PlaceholderMaker,
  ): {
    readonly files: readonly { readonly path: string; readonly content: string }[]
    readonly placeholders: readonly LoginPlaceholder<Login>[]
  }
}

/** How the CLI's own login is started; its files are in `loginFormat`. The options are the CLI's; none was tried with its real service. */
export interface LoginWay {
  /** The arguments after the program. */
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Ports of the cell's loopback to which a browser is redirected. */
  readonly callbackPorts: readonly number[]
  /** The CLI's option for a login without a redirect of the browser. */
  readonly withoutCallback?: string
  /** True if it works only in a terminal. */
  readonly needsTerminal?: boolean
  /** What the user does, in short. */
  readonly how: string
}

/** The facts about one agent CLI; its folder contains all of them. Everything here is data or pure, except `locate`. */
export interface AgentAdapter {
  readonly name: string
  readonly family: Family
  /** True if it was tested with the real CLI. False is reported in `doctor`, docs and output. */
  readonly tried: boolean
  /** What it reports: nothing, its steps and tokens, or also their cost. */
  readonly reports: 'nothing' | 'tokens' | 'cost'
  /** True if `AgentWishes.mcp` has an effect on a headless run. */
  readonly usesMcp?: true
  /** True: a request gives the whole command line. The program does not belong to a vendor that Paddock knows by name. */
  readonly takesCommand?: true
  /** The program's name in PATH. */
  readonly program: string
  /** One line to paste. */
  readonly installHint: string
  /** API and login hosts, as presets use them. */
  readonly hosts: readonly AllowEntry[]
  /** State directory relative to home, for example `.claude`. */
  readonly stateDirectory: string
  readonly credentials: (home: string) => readonly CredentialSource[]
  readonly placeholders: PlaceholderSupport
  /** Files that it runs or obeys later in a project: protected paths, and files that are reported at the end of a cell. Absent: none. */
  readonly runLater?: readonly RunLaterRow[]
  /** Files that it loads by itself from its working directory, or from one above or below it. Absent: none. */
  readonly instructionFiles?: InstructionFiles
  /** Where its installers put it, relative to the user's home: directories of programs and libraries. All cells see the `shown` ones. */
  readonly installedIn?: { readonly searched?: readonly string[]; readonly shown?: readonly string[] }
  /** Variables from which it reads a bundle of certificates, in addition to the common ones. */
  readonly bundleVariables?: readonly string[]
  /** How it stores a login. Loaded on demand, because most commands do not use it. Absent: it stores no login. */
  readonly loginFormat?: () => Promise<LoginFormat>
  /** Absent: it has no login. */
  readonly login?: LoginWay
  headless(wishes: AgentWishes, installation: Installation): AgentCommand
  interactive(wishes: AgentWishes, installation: Installation): AgentCommand
  /** How an ended conversation is continued; absent: not possible. */
  readonly sessions?: SessionNotes
  /** Searches the given PATH directories for the program; null: not installed. */
  locate(search: readonly string[]): Promise<Installation | null>
  /** Returns a new parser for the native output of one headless run. */
  parser(): AgentParser
}

/** Turns native output into events. Never throws: unknown output becomes `unknown`. */
export interface AgentParser {
  /** Parses one line of standard output, without its newline. */
  line(text: string): readonly AgentEvent[]
  /** Returns what standard error and the exit code add after the exit (login, limits). Exit code and typed events win over prose. */
  end(exit: { readonly code: number | null; readonly stderr: string }): readonly AgentEvent[]
}
