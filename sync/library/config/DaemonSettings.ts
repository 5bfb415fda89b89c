/**
 * The configuration of the daemon as a whole: where it listens, how much it does at once, who may read its metrics, where its
 * traces go, and how the service's webhooks are authenticated.
 */
import { Duration, Schema } from "effect"
import { isIP } from "node:net"
import { RUN_MS } from "../../schedule/Limit.ts"
import { SCOPES, type TokenScope } from "../../model/Roles.ts"
import { secret } from "../../model/Secret.ts"
import { OpenIdFile, openIdOf, type OpenIdSettings } from "./OpenIdSettings.ts"
import { ConnectFile, type ConnectSettings } from "./ConnectSettings.ts"

export const Secret = secret("SERVICE_KEY")

const maybe = Schema.optionalKey

const Listen = Schema.String.check(
  Schema.isPattern(/^(\[[0-9a-fA-F:]+\]|[A-Za-z0-9.-]+):\d{1,5}$/u, {
    message: 'write an address and a port, like "127.0.0.1:4020"'
  })
)

const Url = Schema.String.check(Schema.isPattern(/^https?:\/\/[^\s/]+/u, { message: "write an http or https address" }))

const millisOf = (text: string): number => Duration.toMillis(Duration.fromInputUnsafe(text as Duration.Input))

const isRunTimeout = (text: string): boolean =>
  Duration.fromInput(text as Duration.Input)._tag === "Some" && millisOf(text) >= 60_000 && millisOf(text) <= WEEK_MS
const WEEK_MS = 7 * 86_400_000

const RunTimeout = Schema.String.check(
  Schema.makeFilter(isRunTimeout, { message: 'write a duration from 1 minute to 7 days, like "6 hours"' })
)

const SessionTime = Schema.String.check(
  Schema.makeFilter(isRunTimeout, { message: 'write a duration from 1 minute to 7 days, like "2 hours"' })
)

const isNetwork = (text: string): boolean => {
  const [address = "", bits = "0", ...more] = text.split("/")
  return (
    isIP(address) !== 0 &&
    more.length === 0 &&
    /^\d{1,3}$/.test(bits) &&
    Number(bits) <= (isIP(address) === 4 ? 32 : 128)
  )
}

const Network = Schema.String.check(
  Schema.makeFilter(isNetwork, { message: 'write the address of a proxy or of its network, like "10.0.0.0/8"' })
)

/** The scopes of a token for the HTTP interface: read, see what would be sent, decide, have other people connect books. */
const SCOPE_NAMES = Object.keys(SCOPES) as [TokenScope, ...Array<TokenScope>]

const ApiToken = Schema.Struct({
  /** Recorded with each decision made with this token. */
  name: Schema.NonEmptyString,
  token: Secret,
  /** Whose token it is, if it is a person's with an account: it then allows only what they may do. */
  person: maybe(Schema.NonEmptyString),
  scopes: Schema.NonEmptyArray(Schema.Literals(SCOPE_NAMES))
})

export const DaemonFile = Schema.Struct({
  /** Default `127.0.0.1:4020`. */
  listen: maybe(Listen),
  /** Host names under which others reach it through a proxy: requests for other names are rejected. */
  hosts: maybe(
    Schema.Array(
      Schema.String.check(
        Schema.isPattern(/^[A-Za-z0-9.-]+$/u, { message: 'write a name without a port, like "daybook.example.com"' })
      )
    )
  ),
  /** Addresses and networks of proxies that are not on this machine, like "10.0.0.0/8": they say who sends what they forward. */
  proxies: maybe(Schema.Array(Network)),
  /** Addresses of this machine and its network may be entered on the page, and named by tenants; default false. */
  private_addresses: maybe(Schema.Boolean),
  /** How many connections run at the same time, apart from those that wait for slow sources; default 4. */
  at_once: maybe(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 64 }, { message: "write 1 to 64" }))),
  /** How long a run may take; default 6 hours. */
  run_timeout: maybe(RunTimeout),
  log: maybe(Schema.Literals(["text", "json"])),
  /** The `Authorization` header of the service's webhooks, as agreed with the service. */
  webhooks: maybe(Schema.Struct({ authorization: Secret })),
  /** The page's password; without it, the page asks for the token that the daemon prints when it starts. */
  page: maybe(
    Schema.Struct({
      password: maybe(Secret),
      /** Where people sign in who have an account there. */
      openid_connect: maybe(OpenIdFile),
      /** How long people stay signed in: without using the page (default 2 hours), and at all (default 12 hours). */
      sessions: maybe(Schema.Struct({ idle: maybe(SessionTime), absolute: maybe(SessionTime) }))
    })
  ),
  /** Who may use the HTTP interface; without tokens it is off. */
  api: maybe(Schema.Struct({ tokens: Schema.NonEmptyArray(ApiToken) })),
  /** Links by which other people connect their own books; without it there are none. */
  connect: maybe(ConnectFile),
  /** The bearer token with which other machines may read `/metrics`. */
  metrics: maybe(Schema.Struct({ token: Secret })),
  /** The OpenTelemetry collector for traces, metrics and logs. */
  telemetry: maybe(Schema.Struct({ url: Url, headers: maybe(Schema.Record(Schema.String, Secret)) }))
})

export interface DaemonSettings {
  readonly host: string
  readonly port: number
  readonly hosts?: ReadonlyArray<string>
  readonly proxies: ReadonlyArray<string>
  readonly privateAddresses?: boolean
  readonly atOnce: number
  /** Milliseconds. */
  readonly runMs: number
  readonly log: "text" | "json"
  /** Variables of the environment. */
  readonly authorization?: string
  readonly metricsToken?: string
  readonly pagePassword?: string
  readonly openId?: OpenIdSettings
  /** How long a session lasts, in milliseconds: without use, and at all. */
  readonly sessions?: { readonly idleMs?: number; readonly lastsMs?: number }
  /** Who may use the HTTP interface; `token` is a variable of the environment. */
  readonly api: ReadonlyArray<{
    readonly name: string
    readonly token: string
    readonly scopes: ReadonlyArray<TokenScope>
    readonly person?: string
  }>
  readonly connect?: ConnectSettings
  readonly telemetry?: { readonly url: string; readonly headers: Readonly<Record<string, string>> }
}

/** `[::1]:80` as host and port. */
export const address = (listen: string): Pick<DaemonSettings, "host" | "port"> => {
  const at = listen.lastIndexOf(":")
  return { host: listen.slice(0, at).replace(/^\[|\]$/g, ""), port: Number(listen.slice(at + 1)) }
}

export const isAddress = Schema.is(Listen)

export const daemonOf = (file: typeof DaemonFile.Type = {}): DaemonSettings => ({
  ...address(file.listen ?? "127.0.0.1:4020"),
  ...(file.private_addresses === undefined ? {} : { privateAddresses: file.private_addresses }),
  atOnce: file.at_once ?? 4,
  runMs: file.run_timeout === undefined ? RUN_MS : millisOf(file.run_timeout),
  ...(file.hosts === undefined ? {} : { hosts: file.hosts }),
  proxies: file.proxies ?? [],
  log: file.log ?? "text",
  api: (file.api?.tokens ?? []).map(({ token, ...one }) => ({ ...one, token: token.env })),
  ...(file.webhooks === undefined ? {} : { authorization: file.webhooks.authorization.env }),
  ...(file.page?.password === undefined ? {} : { pagePassword: file.page.password.env }),
  ...(file.page?.openid_connect === undefined ? {} : { openId: openIdOf(file.page.openid_connect) }),
  sessions: {
    ...(file.page?.sessions?.idle === undefined ? {} : { idleMs: millisOf(file.page.sessions.idle) }),
    ...(file.page?.sessions?.absolute === undefined ? {} : { lastsMs: millisOf(file.page.sessions.absolute) })
  },
  ...(file.metrics === undefined ? {} : { metricsToken: file.metrics.token.env }),
  ...(file.connect === undefined
    ? {}
    : { connect: { ...file.connect, url: file.connect.url.replace(/(?<!\/)\/+$/, "") } }),
  ...(file.telemetry === undefined
    ? {}
    : {
        telemetry: {
          url: file.telemetry.url.replace(/(?<!\/)\/+$/, ""),
          headers: Object.fromEntries(
            Object.entries(file.telemetry.headers ?? {}).map(([name, { env }]) => [name, env])
          )
        }
      })
})
